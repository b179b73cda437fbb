import { isToolMode, type ToolMode } from '../../core/policy/mode.ts'
import type { Cassette, CassetteCall, CassetteRun, CassetteStep } from './cassette.ts'

/** One entry of a cassette's order, with what it is about. */
export type Happening =
  | { readonly kind: 'mode'; readonly mode: ToolMode }
  | { readonly kind: 'run' | 'over' | 'close'; readonly run: CassetteRun }
  | { readonly kind: 'step'; readonly run: CassetteRun; readonly step: CassetteStep }
  | {
      readonly kind: 'start' | 'answer' | 'end' | 'late' | 'found'
      readonly run: CassetteRun
      readonly call: CassetteCall
    }

const forms: Readonly<Record<string, number>> = {
  run: 1,
  over: 1,
  close: 1,
  step: 2,
  start: 3,
  answer: 3,
  end: 3,
  late: 3,
  found: 3,
}

/** Reads an entry; undefined for one that does not exist or names what the cassette does not have. */
export function happeningOf(cassette: Cassette, entry: unknown): Happening | undefined {
  if (typeof entry !== 'string') return undefined
  const [kind = '', place = '', ...more] = entry.split(' ')
  if (more.length > 0) return undefined
  if (kind === 'mode') return isToolMode(place) ? { kind, mode: place } : undefined
  const numbers = place.split('.')
  if (numbers.length !== (Object.hasOwn(forms, kind) ? forms[kind] : 0)) return undefined
  if (!numbers.every((number) => /^[1-9]\d*$/.test(number))) return undefined
  const [runNumber, stepNumber, callNumber] = numbers.map(Number)
  const run = cassette.runs[(runNumber ?? 0) - 1]
  const step = run?.steps[(stepNumber ?? 0) - 1]
  const call = step?.calls[(callNumber ?? 0) - 1]
  return about(kind, run, step, call)
}

function about(
  kind: string,
  run: CassetteRun | undefined,
  step: CassetteStep | undefined,
  call: CassetteCall | undefined,
): Happening | undefined {
  if (run === undefined) return undefined
  if (kind === 'run' || kind === 'over' || kind === 'close') return { kind, run }
  if (kind === 'step') return step === undefined ? undefined : { kind, run, step }
  return call === undefined ? undefined : { kind: kind as 'start', run, call }
}

/** Whether an entry can be read. */
export function isHappening(cassette: Cassette, entry: unknown): boolean {
  return happeningOf(cassette, entry) !== undefined
}
