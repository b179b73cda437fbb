import type { Body } from '../protocol/body.ts'
import { type BodyResult, parseBodyText } from '../protocol/parse-body.ts'

/** As many as a frame of a stream may have. */
const membersMax = 1_000_000

/** Reads bytes as a body of the protocol. */
export function readJson<Value>(body: Body<Value>, bytes: Uint8Array): BodyResult<Value> {
  const text = textOf(bytes)
  if (text === undefined) return { ok: false, faults: [{ pointer: '', message: 'it is no UTF-8' }] }
  return parseBodyText(body, text, { membersMax })
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
