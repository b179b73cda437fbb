import { stringifyJson } from '../../core/json/stringify.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { isRecord } from '../../core/known-keys.ts'
import { refuseArgument } from '../refuse-argument.ts'
import type { ReplayDifference, ReplayPlace, ReplayReport, UnplayedChild } from './replay-report.ts'

const charactersMax = 400

/**
 * A replay's report as a diff, without colours: what was recorded stands behind `-`, what it is now behind `+`. What
 * could steer a terminal is written as escapes. Errors: INVALID_ARGUMENT for what is no such report.
 */
export function formatReplay(report: ReplayReport): string {
  if (!isRecord(report) || !Array.isArray(report.differences))
    refuseArgument('formatReplay() takes the report that replay() gave; wait for it with await.')
  const { same, differences, runs, steps, calls } = report
  const played = `${counted(runs, 'run')}, ${counted(steps, 'step')}, ${counted(calls, 'call')}`
  const left = (report.unplayed ?? []).map(leftLine)
  if (same) return inert([`Everything is as it was recorded: ${played}.`, ...left].join('\n\n'))
  const sum = `${counted(differences.length, 'difference')} in ${played}.`
  return inert([...differences.map(lines), sum, ...left].join('\n\n'))
}

function leftLine({ inside = [], tool, sentence, ...place }: UnplayedChild): string {
  return `${[...inside, place].map(placeText).join(' > ')} (${tool}): its child run was not played. ${sentence}`
}

function placeText({ run, step, call, agent }: ReplayPlace): string {
  return `run ${run}, step ${step}, call ${call} > ${agent}`
}

function lines({
  inside = [],
  run,
  step,
  call,
  tool,
  at,
  before,
  after,
  sentence,
}: ReplayDifference): string {
  const place = [
    `run ${run}`,
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(call === undefined ? [] : [`call ${call}`]),
  ].join(', ')
  const above = inside.map((each) => `${placeText(each)}: `).join('')
  return [
    `${above}${place}${tool === undefined ? '' : ` (${tool})`}, ${at}: ${sentence}`,
    `  - ${valueText(before)}`,
    `  + ${valueText(after)}`,
  ].join('\n')
}

function valueText(value: JsonValue): string {
  if (value === null) return 'nothing'
  const text = stringifyJson(value)
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}...`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** Sentences and values hold the words of models and tools. */
function inert(text: string): string {
  return text.replaceAll(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`,
  )
}
