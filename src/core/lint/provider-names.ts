import { ToolpostError } from '../error.ts'
import { digestBytes } from '../json/digest.ts'

/** What a provider takes as a tool's name. The first character is an ASCII letter or `_` in any case. */
export interface ProviderNameRules {
  /** The most characters; default 64, at least 16. */
  readonly lengthMax?: number
  /** Every character that a name may hold, letters, digits and `_` among them; default ASCII letters, digits, `_` and `-`. */
  readonly alphabet?: string
}

/** Both ways between tools' names and the names that a model is shown, over one set of tools. */
export interface ProviderNames {
  /** The name that the model is shown. Throws INVALID_ARGUMENT for a name that is not of the set. */
  toModel(name: string): string
  /** The tool of a name that the model used; undefined when none is shown by it. */
  fromModel(sent: string): string | undefined
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** What OpenAI, Anthropic and Gemini all take, so that a conversation can move from one to the other. */
const portable = { lengthMax: 64, alphabet: `${letters}0123456789_-` } as const

/**
 * The members that every object has by birth. Packages for providers look a tool's name up in a plain object, find
 * these there, and send a request without a name.
 */
const namesOfObjects: ReadonlySet<string> = new Set([
  ...['constructor', 'hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable'],
  ...['toLocaleString', 'toString', 'valueOf', '__proto__'],
  ...['__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__'],
])

/** Digits of the hash that a short form ends in; more where fewer collide. */
const digitCounts = [8, 16, 32] as const

/** Shorter names have no room for a hash that tells tools apart. */
const lengthLeast = 16

/**
 * Names that providers take, for any set of names. A name that fits stays as it is; every other, and one that every
 * JavaScript object has as a member (`constructor`, `toString`), becomes a short form: what can be kept of its
 * beginning, `_`, and 8 hex digits of the SHA-256 of its JSON text. Where a short form is another tool's name, the hash
 * gets 16 digits, then 32 or what there is room for. The outcome does not depend on the order of the names, and two
 * names never share one, also when only their case differs.
 *
 * Throws INVALID_ARGUMENT, naming both, when two names cannot be told apart, and when `lengthMax` is below 16.
 */
export function providerNames(names: readonly string[], rules: ProviderNameRules = {}): ProviderNames {
  const { lengthMax, alphabet } = { ...portable, ...rules }
  if (lengthMax < lengthLeast) {
    throw new ToolpostError('INVALID_ARGUMENT', `lengthMax is ${lengthMax}; give at least ${lengthLeast}.`)
  }
  const shown = tellApart([...new Set(names)].sort(), { lengthMax, allowed: new Set(alphabet) })
  const originals = new Map([...shown].map(([name, sent]) => [sent, name]))
  return {
    toModel(name) {
      const sent = shown.get(name)
      if (sent !== undefined) return sent
      throw new ToolpostError('INVALID_ARGUMENT', `No tool of these is named ${JSON.stringify(name)}.`)
    },
    fromModel: (sent) => originals.get(sent),
  }
}

/** Whether a name is a member of every JavaScript object, so that it is sent under another. */
export function isMemberOfObjects(name: string): boolean {
  return namesOfObjects.has(name)
}

interface Fit {
  readonly lengthMax: number
  readonly allowed: ReadonlySet<string>
}

/** Lengthens the hashes of all that claim one name together, so that no order decides who keeps it. */
function tellApart(names: readonly string[], fit: Fit): Map<string, string> {
  const levels = new Map(names.filter((name) => !fits(name, fit)).map((name) => [name, 0]))
  for (;;) {
    const sent = names.map((name) => [name, form(name, levels.get(name), fit)] as const)
    const contested = [...Map.groupBy(sent, ([, shown]) => shown).values()].filter((all) => all.length > 1)
    if (contested.length === 0) return new Map(sent)
    for (const claims of contested)
      lengthen(
        claims.map(([name]) => name),
        levels,
      )
  }
}

function lengthen(claimants: readonly string[], levels: Map<string, number>): void {
  const movable = claimants.filter(
    (name) => (levels.get(name) ?? digitCounts.length) < digitCounts.length - 1,
  )
  if (movable.length === 0) {
    const named = claimants.map((name) => JSON.stringify(name)).join(' and ')
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The tools ${named} would be shown to a model by one name; rename one of them.`,
      { details: { names: claimants } },
    )
  }
  for (const name of movable) levels.set(name, levels.get(name)! + 1)
}

function form(name: string, level: number | undefined, { lengthMax, allowed }: Fit): string {
  if (level === undefined) return name
  const digits = Math.min(digitCounts[level]!, lengthMax - 2)
  const kept = Array.from(name.slice(0, lengthMax), (each) => (allowed.has(each) ? each : '_')).join('')
  const head = begins(kept) ? kept : `_${kept}`
  return `${head.slice(0, lengthMax - digits - 1)}_${hashOf(name).slice(0, digits)}`
}

function fits(name: string, { lengthMax, allowed }: Fit): boolean {
  if (name.length > lengthMax || !begins(name) || isMemberOfObjects(name)) return false
  return Array.from(name).every((each) => allowed.has(each))
}

function begins(name: string): boolean {
  return /^[A-Za-z_]/.test(name)
}

/** Of the JSON text, in which half a surrogate pair is told from another. */
function hashOf(name: string): string {
  return digestBytes(new TextEncoder().encode(JSON.stringify(name))).slice('sha256:'.length)
}
