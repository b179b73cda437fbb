import { stringifyJson } from '../../core/json/stringify.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { ReplayDifference, ReplayReport } from './replay-report.ts'

const charactersMax = 400

/**
 * A replay's report as a diff, without colours: what was recorded stands behind `-`, what it is now behind `+`. What
 * could steer a terminal is written as escapes.
 */
export function formatReplay({ same, differences, runs, steps, calls }: ReplayReport): string {
  const played = `${counted(runs, 'run')}, ${counted(steps, 'step')}, ${counted(calls, 'call')}`
  if (same) return `Everything is as it was recorded: ${played}.`
  const sum = `${counted(differences.length, 'difference')} in ${played}.`
  return inert([...differences.map(lines), sum].join('\n\n'))
}

function lines({ run, step, call, tool, at, before, after, sentence }: ReplayDifference): string {
  const place = [
    `run ${run}`,
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(call === undefined ? [] : [`call ${call}`]),
  ].join(', ')
  return [
    `${place}${tool === undefined ? '' : ` (${tool})`}, ${at}: ${sentence}`,
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
