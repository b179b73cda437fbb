import { describe, expect, test } from 'vitest'
import { errorTable } from '../../src/core/error.ts'
import type { Event } from '../../src/core/event.ts'
import { eventTable } from '../../src/core/event-table.ts'
import { limits } from '../../src/core/limits.ts'
import { newSessionState } from '../../src/core/run/draft.ts'
import { fold } from '../../src/core/run/fold.ts'
import { parseSource, type SourceFile, sourceFiles } from './source.ts'
import { membersRead, thrownCodes, writtenEvents } from './uses.ts'

/** Codes that nothing throws by that name, each with the reason why it stands in the table all the same. */
const codesThrownElsewhere: Readonly<Record<string, string>> = {}

/** Files that may name a row without using it. */
const tables = ['core/error.ts', 'core/event.ts', 'core/limits.ts']

function users(): SourceFile[] {
  return sourceFiles().filter(({ path }) => !tables.includes(path))
}

/** What of the first list is not in the second. */
function missing(names: Iterable<string>, from: Iterable<string>): string[] {
  const known = new Set(from)
  return [...names].filter((name) => !known.has(name))
}

/** Whether the fold has a rule for an event: it takes it up, or finds fault with what it says. */
function isFolded(type: string): boolean {
  const started: Event = { type: 'session.started', session: 's', subject: 'ann', agent: 'a' }
  try {
    fold(
      newSessionState(),
      [started, { type } as Event].map((event) => ({ at: 0, event })),
    )
    return true
  } catch (error) {
    return !String(error).includes('No event is called')
  }
}

describe('the table of errors', () => {
  test('has no code that is never thrown', () => {
    const thrown = users().flatMap(thrownCodes)
    const unused = missing(Object.keys(errorTable), [...thrown, ...Object.keys(codesThrownElsewhere)])
    const needless = Object.keys(codesThrownElsewhere).filter(
      (code) => thrown.includes(code) || !(code in errorTable),
    )
    expect({ unused, needless }).toEqual({ unused: [], needless: [] })
  })

  test('has a status of HTTP and a full sentence in every row', () => {
    const wrong = Object.entries(errorTable).filter(([code, { status, meaning }]) => {
      return !/^[A-Z]+(_[A-Z]+)*$/.test(code) || status < 400 || status > 599 || !meaning.endsWith('.')
    })
    expect(wrong).toEqual([])
  })

  test('is read from both ways of a choice', () => {
    const text = [
      "throw new ToolpostError(a ? 'INVALID_TOOL' : 'INVALID_AGENT', 'INVALID_SCHEMA')",
      "this.stop('NOT_ENCODABLE', b)",
      "if (error.code === 'LEASE_LOST') retry()",
    ]
    expect(thrownCodes(parseSource('x.ts', text.join('\n')))).toEqual([
      'INVALID_TOOL',
      'INVALID_AGENT',
      'NOT_ENCODABLE',
    ])
  })
})

describe('the table of events', () => {
  test('has no event that the fold does not know', () => {
    expect(Object.keys(eventTable).filter((type) => !isFolded(type))).toEqual([])
    expect(isFolded('call.vanished')).toBe(false)
  })

  test('has no event that nothing writes', { timeout: 180_000 }, () => {
    const writers = users().map(({ path }) => path)
    expect(missing(Object.keys(eventTable), writtenEvents(writers))).toEqual([])
  })

  test('names every event noun.past-verb', () => {
    expect(Object.keys(eventTable).filter((name) => !/^[a-z]+\.[a-z]+$/.test(name))).toEqual([])
  })
})

describe('the table of limits', () => {
  test('has no bound that nothing keeps', () => {
    expect(
      missing(
        Object.keys(limits),
        users().flatMap((file) => membersRead(file, 'limits')),
      ),
    ).toEqual([])
  })

  test('gives every bound a unit or a count in its name', () => {
    expect(Object.keys(limits).filter((name) => !/(Max|Min|Ms)$/.test(name))).toEqual([])
  })

  test('is read by a dot and by taking it apart', () => {
    const text = 'const { stepsMax, callsMax: most } = limits\nlimits.leaseMs'
    expect(membersRead(parseSource('x.ts', text), 'limits')).toEqual(['stepsMax', 'callsMax', 'leaseMs'])
  })
})
