import { isToolpostError } from '../core/error.ts'
import { messageOf } from '../core/message-of.ts'
import { inertLine } from './terminal/inert-text.ts'

/** A session that a command had to leave out. */
export interface LeftOut {
  readonly session: string
  readonly code: string
  readonly message: string
}

/** Says why a session was left out. */
export function leftOut(session: unknown, error: unknown): LeftOut {
  const code = isToolpostError(error) ? error.code : 'INTERNAL'
  return { session: String(session), code, message: messageOf(error) }
}

/** Tells a person which sessions were left out, once each, and gives the exit code: 1 when there are any. */
export function tellLeftOut(sessions: readonly LeftOut[], isJson: boolean): number {
  if (!isJson)
    for (const { session, code, message } of eachOnce(sessions))
      process.stderr.write(`error: ${inertLine(session)} was left out: ${inertLine(message)} [${code}]\n`)
  return sessions.length === 0 ? 0 : 1
}

/** The same for a program: absent when nothing was left out. */
export function leftOutJson(sessions: readonly LeftOut[]): { readonly leftOut?: readonly LeftOut[] } {
  return sessions.length === 0 ? {} : { leftOut: eachOnce(sessions) }
}

function eachOnce(sessions: readonly LeftOut[]): readonly LeftOut[] {
  return [...new Map(sessions.map((each) => [each.session, each])).values()]
}
