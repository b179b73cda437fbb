import type { Agent } from '../agent/agent.ts'
import { ToolpostError } from '../core/error.ts'
import { checkKeys, isRecord } from '../core/known-keys.ts'
import { checkAgent, checkShared } from './check-options.ts'
import type { EvaluateOptions, EvaluationCase } from './evaluation.ts'
import { readRecord } from './known-keys.ts'
import { refuseArgument as refuse } from './refuse-argument.ts'

const caseKeys: readonly (keyof EvaluationCase)[] = [
  'name',
  'input',
  'expect',
  'expectedCalls',
  'expectedStatus',
]
const optionKeys: readonly (keyof EvaluateOptions)[] = [
  'judge',
  'passAt',
  'repeat',
  'retries',
  'concurrency',
  'results',
  'allowEffects',
  'mode',
  'subject',
  'approvals',
  'signal',
]

/** Errors: INVALID_ARGUMENT for whatever would make an evaluation say nothing, or do more than look. */
export function checkEvaluation(
  agent: Agent,
  cases: readonly EvaluationCase[],
  options: EvaluateOptions,
): void {
  checkAgent(agent)
  if (!Array.isArray(cases) || cases.length === 0) refuse('An evaluation needs a list of at least one case.')
  for (const [place, each] of cases.entries()) checkCase(each, place, cases)
  checkOptions(options)
  checkStandIns(agent, options)
}

function checkCase(given: EvaluationCase, place: number, cases: readonly EvaluationCase[]): void {
  if (typeof given !== 'object' || given === null)
    refuse(`cases[${place}] is no case; write { name, input }.`)
  const { name, input } = given
  if (typeof name !== 'string' || name.trim() === '') refuse(`cases[${place}] needs a name.`)
  if (cases.findIndex((each) => each.name === name) < place) refuse(`Two cases are called "${name}".`)
  checkKeys(given, caseKeys, `The case "${name}" has`)
  const texts = typeof input === 'string' ? [input] : input
  const isSaid = Array.isArray(texts) && texts.length > 0 && texts.every((text) => typeof text === 'string')
  if (!isSaid) refuse(`The case "${name}" needs an input: a text, or a list of at least one.`)
  if (given.expect !== undefined && typeof given.expect !== 'function')
    refuse(`The case "${name}" needs a function as "expect".`)
}

function checkOptions(options: EvaluateOptions): void {
  checkShared(readRecord(options, optionKeys, 'evaluate()'))
  const { repeat = 1, retries = 0, concurrency = 1, judge, passAt, results = {} } = options
  checkCount('repeat', repeat, 1)
  checkCount('retries', retries, 0)
  checkCount('concurrency', concurrency, 1)
  if (judge !== undefined && typeof judge !== 'function') refuse('"judge" must be a function.')
  if (!isRecord(results)) refuse('"results" must be an object with a stand-in for each tool, by its name.')
  if (passAt === undefined) return
  if (judge === undefined) refuse('"passAt" is the least score that passes; give a judge with it.')
  if (!(passAt >= 0 && passAt <= 1)) refuse(`"passAt" must be a number from 0 to 1, not ${passAt}.`)
}

function checkCount(name: string, count: number, least: number): void {
  if (!Number.isSafeInteger(count) || count < least) {
    refuse(`"${name}" must be a whole number, ${least} or more, not ${String(count)}.`)
  }
}

/** A model that is free to call what it likes must not set off an effect that nobody allowed. */
function checkStandIns(agent: Agent, { results = {}, allowEffects = false }: EvaluateOptions): void {
  const names = agent.declaredTools.map((tool) => tool.name)
  const unknown = Object.keys(results).find((name) => !names.includes(name))
  if (unknown !== undefined) refuse(`"results" names "${unknown}", which is no tool of the agent.`)
  if (allowEffects === true) return
  const loose = agent.tools.filter((tool) => tool.toolClass !== 'read' && !Object.hasOwn(results, tool.name))
  if (loose.length === 0) return
  const list = loose.map(({ name, toolClass }) => `${name} (${toolClass})`).join(', ')
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The model of an evaluation decides what it calls, and these tools do more than read: ${list}. Give each a stand-in in "results", or let them run with allowEffects: true.`,
    { details: { tools: loose.map(({ name }) => name) } },
  )
}
