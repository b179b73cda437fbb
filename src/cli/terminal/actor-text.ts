import type { Actor } from '../../core/event.ts'
import { inertLine } from './inert-text.ts'

/** Who decided, in words; `asker` is what the approval handler is called. */
export function actorText({ id, method }: Actor, asker = 'the process that asked'): string {
  if (method === 'handler') return asker
  if (method === 'default') return 'default, since nobody is asked'
  return `${inertLine(id)} (${inertLine(method)})`
}
