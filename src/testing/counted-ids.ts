import type { IdKind, IdSource } from '../core/id.ts'

/** Ids that count up for each kind: `call_1`, `call_2`, ... */
export function countedIds(): IdSource {
  const counts = new Map<IdKind, number>()
  return {
    next: (kind) => {
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      return `${kind}_${count}`
    },
  }
}
