import type { ApprovalRequest } from '../../agent/approval-request.ts'
import { argumentLines } from './argument-lines.ts'
import { clipped } from './clipped.ts'
import { inertLine } from './inert-text.ts'

/** An ask as lines for a person. */
export interface AskCard {
  readonly lines: readonly string[]
  /** True when something long was folded. */
  readonly isFolded: boolean
}

const oneLineMax = 160

/** What will run, exactly, and why somebody is asked; long texts are folded unless `isFull`. */
export function askCard(request: ApprovalRequest, isFull = false): AskCard {
  const { tool, mode, reason, why, prepared, coerced, argsDigest, id } = request
  const { lines, isFolded } = argumentLines(request.args, isFull)
  const layers = why.filter(
    (entry) => entry.verdict !== undefined && entry.reason !== reason && entry.private !== true,
  )
  return {
    isFolded,
    lines: [
      `${inertLine(tool.name)} wants to run and asks first`,
      `  ask     ${id}`,
      `  class   ${tool.toolClass}${mode === undefined ? '' : `, in mode ${mode}`}`,
      `  why     ${inertLine(reason)}`,
      ...layers.map((entry) => `  layer   ${entry.layer} [${entry.verdict}]: ${inertLine(entry.reason)}`),
      ...(prepared
        ? ['  note    The tool prepared the arguments: they are not word for word what the model wrote.']
        : []),
      ...coerced.map(
        (each) => `  note    Converted without loss: ${inertLine(clipped(JSON.stringify(each), oneLineMax))}`,
      ),
      '  runs with',
      ...lines.map((line) => `    ${line}`),
      `  digest  ${argsDigest}`,
    ],
  }
}
