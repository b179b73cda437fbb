import type { Definition } from '../../agent/definition.ts'
import type { Catalog } from '../../core/catalog.ts'
import type { Cassette, CassetteCall, CassetteRun, CassetteStep } from './cassette.ts'
import { compareCalls, type Found, isSame, shown } from './compare-calls.ts'
import type { ReplayDifference } from './replay-report.ts'

/** Everything in which a replay differs from its recording, in the order in which it happened. */
export function compareCassettes(
  recorded: Cassette,
  replayed: Cassette,
  definition: Definition,
): readonly ReplayDifference[] {
  const comparison = new Comparison(definition)
  for (const [index, run] of recorded.runs.entries()) comparison.runs(index + 1, run, replayed.runs[index])
  return comparison.differences
}

class Comparison {
  readonly differences: ReplayDifference[] = []
  readonly #catalog: Catalog
  /** A hook may have hidden tools, and is not asked again. */
  readonly #isShortened: boolean
  readonly #toldTools = new Set<string>()
  #toldOffer = ''

  constructor({ catalog, hooks }: Definition) {
    this.#catalog = catalog
    this.#isShortened = hooks.some(({ beforeModel }) => beforeModel !== undefined)
  }

  runs(number: number, before: CassetteRun, after: CassetteRun | undefined): void {
    const [was, is] = [before.steps, after?.steps ?? []]
    for (const [index, step] of was.entries()) {
      const other = is[index]
      if (other !== undefined) this.#steps({ run: number, step: index + 1 }, step, other)
    }
    if (isSame(before.ended, after?.ended) && was.length === is.length) return
    this.differences.push({
      run: number,
      at: 'ending',
      before: shown(before.ended),
      after: shown(after?.ended),
      sentence: endingSentence(before, after, was.length, is.length),
    })
  }

  #steps(place: { run: number; step: number }, before: CassetteStep, after: CassetteStep): void {
    this.#offers(place, before, after)
    for (const [index, call] of before.calls.entries()) {
      const other = after.calls[index]
      if (other === undefined) continue
      const where = { ...place, call: index + 1, tool: call.name }
      const tool = this.#toolOf(call)
      const found = [...(tool === undefined ? [] : [tool]), ...compareCalls(call, other)]
      for (const each of found) this.differences.push({ ...where, ...each })
    }
  }

  /** The same change of the offer is told once, where it begins. */
  #offers(place: { run: number; step: number }, before: CassetteStep, after: CassetteStep): void {
    // Where a hook answered, the model may have been shown nothing.
    if (before.by === 'hook' && before.calls.length === 0) return
    const [was, is] = [before, after].map(({ offered = [] }) =>
      offered.map(({ name, verdict, toolClass }) => `${name} (${toolClass}, ${verdict})`),
    ) as [string[], string[]]
    const gone = was.filter((tool) => !is.includes(tool))
    const added = this.#isShortened ? [] : is.filter((tool) => !was.includes(tool))
    const change = [...gone.map((tool) => `- ${tool}`), ...added.map((tool) => `+ ${tool}`)].join(', ')
    if (change !== '' && change !== this.#toldOffer) {
      const sentence = `The model is shown other tools: ${change}.`
      this.differences.push({ ...place, at: 'offered', before: was, after: is, sentence })
    }
    this.#toldOffer = change
  }

  /** A tool that is gone or has changed, told at its first call. */
  #toolOf({ name, version }: CassetteCall): Found | undefined {
    if (version === undefined || this.#toldTools.has(name)) return undefined
    const tool = this.#catalog.find(name)
    if (tool?.version === version) return undefined
    this.#toldTools.add(name)
    const sentence =
      tool === undefined
        ? `The tool "${name}" is no longer there.`
        : `The tool "${name}" is another version than the one that was recorded.`
    return { at: 'tool', before: version, after: shown(tool?.version), sentence }
  }
}

function endingSentence(
  before: CassetteRun,
  after: CassetteRun | undefined,
  was: number,
  is: number,
): string {
  const [then, now] = [before, after].map((run) => run?.ended?.status)
  const left = is < was ? ` The recorded answers from step ${is + 1} on were not asked for.` : ''
  if (then === now) return `The run ends with other words or another output.${left}`
  return `The run ${then === undefined ? 'was waiting' : `ended as ${then}`}, and now it ${now === undefined ? 'waits' : `ends as ${now}`}.${left}`
}
