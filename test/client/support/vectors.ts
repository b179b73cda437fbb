import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setOwn } from '../../../src/core/json/set-own.ts'

/** A template by its name, changed. */
export interface Use {
  readonly use: string
  readonly set?: Readonly<Record<string, unknown>>
  readonly remove?: readonly string[]
  readonly times?: number
  readonly counted?: readonly string[]
  readonly compact?: boolean
}

type Raw = string | { readonly hex: string } | { readonly repeatText: string; readonly times: number } | Use

/** One case of conformance/client.json; conformance/README.md says what its members mean. */
export interface Vector {
  readonly id: string
  readonly says: string
  readonly operation: string
  readonly baseUrl?: string
  readonly token?: string
  readonly request?: string | Use
  readonly input?: string | Use
  readonly events?: readonly Use[]
  readonly json?: string | Use
  readonly body?: string
  readonly raw?: readonly Raw[]
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | null>>
  readonly contentType?: string | null
  readonly redirect?: number
  readonly lineEnding?: string
  readonly bom?: boolean
  readonly multiline?: boolean
  readonly comments?: boolean
  readonly chunkSizes?: readonly number[]
  readonly truncate?: number
  readonly drop?: boolean
  readonly hold?: boolean
  readonly stopAfter?: number
  readonly sent?: Readonly<Record<string, unknown>>
  readonly expect: {
    readonly events?: number
    readonly last?: string
    readonly skipped?: readonly number[]
    readonly json?: boolean
    readonly constructed?: boolean
    readonly error?: string
    readonly retryable?: boolean
    readonly outcome?: string
    readonly after?: number
    readonly transport?: boolean
    readonly untouched?: boolean
    readonly closed?: boolean
  }
}

type Json = Record<string, unknown>

interface Document {
  readonly token: string
  readonly defaults: Json
  readonly requests: Json
  readonly events: Readonly<Record<string, Json>>
  readonly inputs: Json
  readonly bodies: Json
  readonly cases: readonly Vector[]
}

const file = join(import.meta.dirname, '../../../conformance/client.json')

export const vectors = JSON.parse(readFileSync(file, 'utf8')) as Document

const defaultEvents: readonly Use[] = [{ use: 'started' }, { use: 'delta' }, { use: 'completed' }]

/** A template of the document, or a use of one. */
export function template(kind: 'requests' | 'inputs' | 'bodies', use: string | Use): unknown {
  const change = typeof use === 'string' ? { use } : use
  return changed(vectors[kind][change.use], change)
}

/** The events that a case sends, or some uses. */
export function eventsOf(uses: readonly Use[] = defaultEvents, first = 1): Json[] {
  const made: Json[] = []
  for (const use of uses) {
    for (let time = 1; time <= (use.times ?? 1); time += 1) {
      const plain = { ...vectors.events[use.use], ...vectors.defaults, sequence: first + made.length }
      const event = changed(plain, use) as Json
      for (const pointer of use.counted ?? []) change(event, pointer, (text) => `${text}-${time}`)
      made.push(event)
    }
  }
  return made
}

/** The bytes that answer a case's request. */
export function bytesOf(vector: Vector): Buffer {
  if (vector.raw !== undefined) return rawOf(vector.raw)
  if (vector.body !== undefined) return Buffer.from(vector.body)
  if (vector.json !== undefined || vector.operation !== 'stream') {
    return Buffer.from(JSON.stringify(template('bodies', vector.json ?? vector.operation)))
  }
  const frames = eventsOf(vector.events).map((event) => frame(event, vector))
  const bytes = Buffer.from(`${vector.bom === true ? '\ufeff' : ''}${frames.join('')}`)
  return bytes.subarray(0, bytes.length - (vector.truncate ?? 0))
}

function rawOf(parts: readonly Raw[]): Buffer {
  let sequence = 0
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part)
      if ('hex' in part) return Buffer.from(part.hex, 'hex')
      if ('repeatText' in part) return Buffer.from(part.repeatText.repeat(part.times))
      sequence += 1
      return Buffer.from(frame(eventsOf([part], sequence)[0]!, {}, part.compact === true ? '' : ' '))
    }),
  )
}

function frame(event: Json, vector: Partial<Vector>, space = ' '): string {
  const text = JSON.stringify(event, null, vector.multiline === true ? 1 : 0)
  const data = text.split('\n').map((line) => `data:${space}${line}`)
  const comment = vector.comments === true ? [': still here', ''] : []
  const head = [`id:${space}${event.sequence}.0.0`, `event:${space}${event.type}`]
  return [...comment, ...head, ...data, '', ''].join(vector.lineEnding ?? '\n')
}

function changed(value: unknown, { set = {}, remove = [] }: Use): unknown {
  const made = structuredClone(value)
  for (const [pointer, replacement] of Object.entries(set))
    change(made, pointer, () => writtenOut(replacement))
  for (const pointer of remove) change(made, pointer, undefined)
  return made
}

function change(target: unknown, pointer: string, make: ((old: unknown) => unknown) | undefined): void {
  const path = pointer.split('/').slice(1)
  const last = path.pop()!
  const holder = path.reduce<unknown>((inner, key) => (inner as Json)[key], target) as Json
  if (make === undefined) delete holder[last]
  else setOwn(holder, last, make(holder[last]))
}

function writtenOut(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(writtenOut)
  const { repeatText, times, ...members } = value as Json
  if (typeof repeatText === 'string') return repeatText.repeat(times as number)
  return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, writtenOut(member)]))
}
