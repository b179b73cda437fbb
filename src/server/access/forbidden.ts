import type { Access } from '../../protocol/host/access.ts'
import { HostError } from '../../protocol/host-error.ts'

/** What a caller asked for and is not granted, by the list that would grant it, in words of his own request. */
export type Missing = Partial<Record<keyof Access, readonly string[]>>

/** Errors: FORBIDDEN when anything is missing; its sentence names all of it. */
export function refuseMissing(missing: Missing): void {
  const lacking = Object.entries(missing).filter(([, names]) => names.length > 0)
  if (lacking.length === 0) return
  const told = lacking.map(([grant, names]) => `${grant} ${names.join(', ')}`).join('; ')
  throw new HostError('FORBIDDEN', `The caller is not granted: ${told}.`)
}
