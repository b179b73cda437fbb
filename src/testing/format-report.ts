import { isRecord } from '../core/known-keys.ts'
import type { EvaluatedCase, EvaluationReport } from './evaluation.ts'
import { refuseArgument } from './refuse-argument.ts'

/**
 * A report as text, without colours: a line for each case, below it why it failed, and the sum at the end. What could
 * steer a terminal is written as escapes. Errors: INVALID_ARGUMENT for what is no such report.
 */
export function formatReport(report: EvaluationReport): string {
  if (!isRecord(report) || !Array.isArray(report.cases))
    refuseArgument('formatReport() takes the report that evaluate() gave; wait for it with await.')
  const { cases, passed, failed } = report
  const lines = cases.flatMap((each) => [caseLine(each), ...each.reasons.map(reasonLines)])
  const sum = `${passed} of ${passed + failed} cases passed.`
  return inert([...lines, '', sum].join('\n'))
}

function caseLine({ name, passed, runs, score }: EvaluatedCase): string {
  const passedRuns = runs.filter((run) => run.passed).length
  const notes = [
    ...(runs.length === 1 ? [] : [`${passedRuns} of ${runs.length} runs`]),
    ...(score === undefined ? [] : [`score ${score.toFixed(2)}`]),
  ]
  return `${passed ? 'passed' : 'failed'}  ${name}${notes.length === 0 ? '' : `  (${notes.join(', ')})`}`
}

function reasonLines(reason: string): string {
  return reason
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `        ${line}`.trimEnd())
    .join('\n')
}

/** Names and reasons hold the words of models and tools. */
function inert(text: string): string {
  return text.replaceAll(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`,
  )
}
