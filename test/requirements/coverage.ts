import type { Requirement } from './requirement.ts'

/** From a cited id to the files that cite it. */
export type Citations = ReadonlyMap<string, readonly string[]>

const citation =
  /\[((?:approvals|application|integrations|registry|faults|tools-and-approvals|tools-in-an-agent|application-tools|tool-registry-and-code-mode|platform-tools)\/[\w.-]+)\]/g

/** The ids that test titles cite, given the text of each test file by its path. */
export function citationsIn(files: ReadonlyMap<string, string>): Citations {
  const found = new Map<string, string[]>()
  for (const [path, text] of files) {
    for (const [, id] of text.matchAll(citation)) {
      const paths = found.get(id!) ?? []
      if (!paths.includes(path)) paths.push(path)
      found.set(id!, paths)
    }
  }
  return found
}

/** Everything in which manifest and tests disagree, as sentences that say what to do. */
export function coverageFaults(manifest: readonly Requirement[], citations: Citations): string[] {
  const byId = new Map(manifest.map((row) => [row.id, row]))
  return [
    ...repeatedIds(manifest),
    ...manifest.flatMap((row) => rowFaults(row, byId)),
    ...manifest.flatMap((row) => uncited(row, citations)),
    ...[...citations].flatMap(([id, paths]) => citedWrongly(id, paths, byId)),
  ]
}

function repeatedIds(manifest: readonly Requirement[]): string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { id } of manifest) (seen.has(id) ? repeated : seen).add(id)
  return [...repeated].map((id) => `${id} stands in the manifest more than once: give each row its own id`)
}

function rowFaults(row: Requirement, byId: ReadonlyMap<string, Requirement>): string[] {
  const faults: string[] = []
  if (row.state === 'deviates' && !row.reason) faults.push(`${row.id} deviates without a reason: give one`)
  if (row.says.trim() === '') faults.push(`${row.id} says nothing: write its behaviour as one sentence`)
  if (row.coveredBy !== undefined) faults.push(...coverFaults(row, byId.get(row.coveredBy)))
  return faults
}

/** A covered row needs no citation of its own: the row that covers it has to be cited. */
function coverFaults(row: Requirement, cover: Requirement | undefined): string[] {
  if (cover === undefined) return [`${row.id} is covered by ${row.coveredBy}, which is not in the manifest`]
  if ((cover.state === 'deferred') === (row.state === 'deferred')) return []
  return [`${row.id} is marked ${row.state}, but ${row.coveredBy}, which covers it, is marked ${cover.state}`]
}

function uncited(row: Requirement, citations: Citations): string[] {
  if (row.state === 'deferred' || row.coveredBy !== undefined || citations.has(row.id)) return []
  return [`${row.id} is marked ${row.state}, but no test cites it`]
}

function citedWrongly(
  id: string,
  paths: readonly string[],
  byId: ReadonlyMap<string, Requirement>,
): string[] {
  const row = byId.get(id)
  if (row === undefined) return [`${id} is cited by ${paths.join(', ')}, but is not in the manifest`]
  if (row.state !== 'deferred') return []
  return [`${id} is cited by ${paths.join(', ')}, but is marked deferred: mark it tested`]
}
