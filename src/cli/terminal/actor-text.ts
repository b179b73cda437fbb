import type { Actor } from '../../core/event.ts'
import { inertLine } from './inert-text.ts'

/** Who decided, in words. */
export function actorText({ id, method }: Actor): string {
  if (method === 'handler') return 'the process that asked'
  if (method === 'default') return 'default, since nobody is asked'
  return `${inertLine(id)} (${inertLine(method)})`
}
