import type { Requirement } from './requirement.ts'
import { scenarios } from './scenarios.ts'

const byId: ReadonlyMap<string, Requirement> = new Map(scenarios.map((row) => [row.id, row]))

/**
 * Rows that a scenario proves. A key is the row's own name, ` by ` and the scenario's id; the row takes the
 * scenario's state and owner, so that only the scenario has to be marked when its test is there.
 */
export function covered(source: string, sentences: Readonly<Record<string, string>>): readonly Requirement[] {
  return Object.entries(sentences).map(([key, says]) => coveredRow(source, key, says))
}

/** The same, where ours is another behaviour than the text's: the reason stands behind the sentence. */
export function coveredDiffering(
  source: string,
  sentences: Readonly<Record<string, readonly [says: string, reason: string]>>,
): readonly Requirement[] {
  return Object.entries(sentences).map(([key, [says, reason]]) => {
    const row = coveredRow(source, key, says)
    return { ...row, state: row.state === 'tested' ? 'deviates' : row.state, reason }
  })
}

function coveredRow(source: string, key: string, says: string): Requirement {
  const [name, coveredBy] = key.split(' by ')
  if (name === undefined || coveredBy === undefined) throw new Error(`"${key}" names no scenario`)
  const scenario = byId.get(coveredBy)
  // A scenario that is not there is reported by the gate, with all the other faults.
  const { state, owner, reason } = scenario ?? { state: 'tested', owner: 'spine' }
  return {
    id: `${source}/${name}`,
    says,
    state,
    owner,
    coveredBy,
    ...(reason === undefined ? {} : { reason }),
  }
}
