import type { Clock } from '../core/clock.ts'
import type { Driver } from '../core/driver.ts'
import type { ScriptStep } from '../models/script-step.ts'
import { scriptedModel } from '../models/scripted.ts'
import type { ScriptPlay } from './script-play.ts'
import type { ScriptTime } from './script-time.ts'

/**
 * The model of a script that is played: each answer is said when the time before it has passed, and after its own
 * delay, unless the run is stopped first.
 */
export function playedModel(play: ScriptPlay, clock: Clock, time?: ScriptTime): Driver {
  let said: ScriptStep = ''
  const speaker = scriptedModel(() => said)
  return {
    name: speaker.name,
    async *propose(request, signal) {
      signal.throwIfAborted()
      await time?.passAll()
      signal.throwIfAborted()
      const answer = play.answer(request)
      if (answer.delayMs > 0) await clock.sleep(answer.delayMs, signal)
      said = answer.said
      yield* speaker.propose(request, signal)
    },
  }
}
