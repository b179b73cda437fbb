import { ToolpostError } from '../../core/error.ts'
import { canonicalJson } from '../../core/json/canonical.ts'
import { refusals } from '../runs/refusals.ts'
import { subjectOf, type Who } from '../who.ts'

/**
 * What makes sure that a caller is still the same with the same grants (application-tools-details 1.1); undefined for one
 * who cannot change. It rejects with a sentence of `refusals`.
 */
export function sameCaller(who: Who): (() => Promise<void>) | undefined {
  const { askAgain } = who
  if (askAgain === undefined) return undefined
  return async () => {
    const now = await askAgain().catch((cause: unknown) => {
      throw refused(refusals.unchecked.sentence, cause)
    })
    if (now === undefined || identityOf(now) !== identityOf(who)) throw refused(refusals.changed.sentence)
  }
}

function refused(sentence: string, cause?: unknown): ToolpostError {
  return new ToolpostError('INVALID_ARGUMENT', sentence, { cause })
}

/** A list of grants says the same in any order. */
function identityOf(who: Who): string {
  const { group, access = {} } = who
  const grants = Object.entries(access).map(([name, granted]) => [
    name,
    Array.isArray(granted) ? granted.map(canonicalJson).sort() : granted,
  ])
  return canonicalJson({ subject: subjectOf(who), group, grants: Object.fromEntries(grants) })
}
