import type { Driver, DriverPart } from '../../dist/index.js'
import { answerText, argumentsOfStep, steps, toolName } from './task.ts'

const usage = { inputTokens: 10, outputTokens: 5 }

/** The same loop as a driver of ours: what is left is the runtime alone, without any stream of a provider's. */
export function loopingDriver(callsPerRun = steps, onAsked: () => void = () => undefined): Driver {
  let asked = 0
  return {
    name: 'bench/looping',
    async *propose(): AsyncGenerator<DriverPart, void, undefined> {
      onAsked()
      const step = (asked % (callsPerRun + 1)) + 1
      asked += 1
      yield step > callsPerRun ? lastAnswer : answerOf(step)
    },
  }
}

function answerOf(step: number): DriverPart {
  const modelCallId = `call-${step}`
  const argumentsText = argumentsOfStep(step)
  return {
    type: 'finish',
    reason: 'calls',
    usage,
    parts: [{ kind: 'call', modelCallId, name: toolName, argumentsText }],
  }
}

const lastAnswer: DriverPart = {
  type: 'finish',
  reason: 'stop',
  usage,
  parts: [{ kind: 'text', text: answerText }],
}
