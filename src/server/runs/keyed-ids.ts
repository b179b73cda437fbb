import type { IdSource } from '../../core/id.ts'
import { digestOf } from '../../core/json/digest.ts'
import type { RunRequest } from '../../protocol/run/run-request.ts'

/**
 * The ids of a new run. With an idempotency key they follow from subject and key, so that of two who start the same at
 * once, in whatever processes of a store, one finds them taken.
 */
export function keyedIds(
  ids: IdSource,
  subject: string,
  { idempotencyKey, session }: RunRequest,
): { readonly run: string; readonly session?: string } {
  if (idempotencyKey === undefined) return { run: ids.next('run') }
  const digest = digestOf([subject, idempotencyKey]).slice('sha256:'.length, 'sha256:'.length + 40)
  return { run: `run_key_${digest}`, ...(session === undefined ? { session: `session_key_${digest}` } : {}) }
}
