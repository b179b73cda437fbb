import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientBounds } from '../../src/client/bounds.ts'
import { aliasTable } from '../../src/core/aliases.ts'
import { errorTable } from '../../src/core/error.ts'
import { eventTable } from '../../src/core/event-table.ts'
import { limits } from '../../src/core/limits.ts'
import { wireBounds } from '../../src/protocol/bounds.ts'
import { wireErrors } from '../../src/protocol/errors.ts'
import { routes } from '../../src/protocol/routes.ts'
import { runRequestSchema } from '../../src/protocol/run/run-request.ts'
import { eventEnvelopeSchema, runEventSchemas } from '../../src/protocol/stream/run-event-schema.ts'
import { hostFileSchema } from '../../src/server/config/host-file.ts'
import { parseSource } from '../architecture/source.ts'
import { trackedFiles } from '../architecture/tracked.ts'
import { brokenLinks } from './links.ts'
import { pageText, root, userPages } from './programs.ts'
import { boundsIn, fieldsOfEvent, filesBelow, textsGiven, textsInType } from './source-facts.ts'

/** The cells of every row of the table below a heading, without its head. */
function rowsBelow(page: string, heading: string): string[][] {
  const [, below = ''] = pageText(page).split(`# ${heading}\n`)
  const [section = ''] = below.split(/^#/m)
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .slice(2)
}

function bare(cell = ''): string {
  return cell.replaceAll('`', '')
}

function numberIn(cell: string | undefined): number {
  return Number(bare(cell).replaceAll(',', ''))
}

/** The first cells of a table, sorted. */
function namesBelow(page: string, heading: string): string[] {
  return rowsBelow(page, heading)
    .map(([name]) => bare(name))
    .sort()
}

describe('errors.md', () => {
  const page = 'docs/errors.md'

  test('is equal to the table of errors', () => {
    const told = rowsBelow(page, 'What you are thrown')
    const known = Object.entries(errorTable)
    expect(told.map(([code, status, meaning]) => [bare(code), Number(status), meaning])).toEqual(
      known.map(([code, { status, meaning }]) => [code, status, meaning]),
    )
  })

  test('has every code that a model can be told, and no other', () => {
    const given = textsGiven('code', filesBelow('runtime', 'executors', 'agent/children'))
    expect(namesBelow(page, 'What a model is told')).toEqual(given)
  })

  test('has every category of a denial and of a declined ask, and no other', () => {
    const denials = textsInType('core/policy/layers.ts', 'DenyCategory')
    expect(namesBelow(page, 'Categories of `denied`')).toEqual(denials)
    const given = textsGiven('category', filesBelow('agent', 'runtime')).filter(
      (name) => !denials.includes(name),
    )
    expect(namesBelow(page, 'Categories of `declined`')).toEqual([...given, 'none'].sort())
  })

  test('leaves no cell empty', () => {
    const headings = [
      'What you are thrown',
      'What a model is told',
      'Categories of `denied`',
      'Categories of `declined`',
    ]
    const rows = headings.flatMap((heading) => rowsBelow(page, heading))
    expect(rows.filter((cells) => cells.includes(''))).toEqual([])
  })

  test('is held against codes in every form', () => {
    const text = [
      "const broken = 'one'",
      'function fail(call: string, code: string) {}',
      "fail('x', 'two')",
      "const a = { code: broken, other: 'five' }",
      "const b = { code: a ? 'three' : 'four' }",
    ]
    expect(textsGiven('code', [parseSource('x.ts', text.join('\n'))])).toEqual([
      'four',
      'one',
      'three',
      'two',
    ])
  })
})

describe('events.md', () => {
  const page = 'docs/events.md'

  test('has every event with its sentence, and no other', () => {
    const told = [...pageText(page).matchAll(/^### (.+)\n\n(.+)\n/gm)]
    expect(Object.fromEntries(told.map(([, type, sentence]) => [type, sentence]))).toEqual(eventTable)
  })

  test.each(Object.keys(eventTable))('has every field of %s, and no other', (type) => {
    expect(namesBelow(page, type)).toEqual(fieldsOfEvent(type))
  })

  test('has every delta, and no other', () => {
    expect(namesBelow(page, 'Deltas')).toEqual(textsInType('agent/run-event.ts', 'Delta'))
  })

  test('is equal to the table of aliases', () => {
    const told = rowsBelow(page, 'Names of other systems').map(([name, ours = '']) => [
      bare(name),
      [...ours.matchAll(/`(\w+\.\w+)`/g)].map(([, type]) => type),
    ])
    expect(Object.fromEntries(told)).toEqual(aliasTable)
  })
})

describe('limits.md', () => {
  const page = 'docs/limits.md'

  test('has every bound of the table with its default and a reason, and no other', () => {
    const told = rowsBelow(page, 'Calls, runs and sessions')
    expect(Object.fromEntries(told.map(([name, value]) => [bare(name), numberIn(value)]))).toEqual(limits)
    expect(told.filter(([, , , reason = '']) => reason === '')).toEqual([])
  })

  test('has every bound that stands in the rooms themselves, and no other', () => {
    const told = ['JSON and schemas', 'Elsewhere'].flatMap((heading) => rowsBelow(page, heading))
    const rows = told.map(([path, name, value]) => `${bare(path)} ${bare(name)} ${numberIn(value)}`)
    const core = ['core/json', 'core/schema', 'core/policy']
    const rooms = [...core, 'agent', 'runtime', 'executors', 'stores', 'protocol', 'client', 'server']
    expect(rows.sort()).toEqual(
      filesBelow(...rooms)
        .flatMap(boundsIn)
        .sort(),
    )
  })

  test.each([
    ['On the wire', wireBounds],
    ['In a client', clientBounds],
  ] as const)('%s: has every bound with a reason, and no other', (heading, bounds) => {
    const told = rowsBelow(page, heading)
    expect(Object.fromEntries(told.map(([name, value]) => [bare(name), numberIn(value)]))).toEqual(bounds)
    expect(told.filter(([, , reason = '']) => reason === '')).toEqual([])
  })

  test('is held against bounds in both forms', () => {
    const text = 'const depthMax = 6_4\nconst { pollMs = 50, other = 1 } = options\nconst count = 2'
    expect(boundsIn(parseSource('x.ts', text))).toEqual(['x.ts depthMax 64', 'x.ts pollMs 50'])
  })
})

describe('wire.md', () => {
  const page = 'docs/wire.md'

  test('is equal to the table of errors', () => {
    const told = rowsBelow(page, 'Errors').map(([code, status, retryable, meaning]) => ({
      ...{ code: bare(code), status: Number(status), retryable, meaning },
    }))
    const known = Object.entries(wireErrors).map(([code, { retryable, ...row }]) => ({
      ...{ code, ...row, retryable: retryable ? 'yes' : '' },
    }))
    expect(told).toEqual(known)
  })

  test('has every address with its sentence, in order', () => {
    const told = rowsBelow(page, 'Addresses').map(([address, sentence]) => [bare(address), sentence])
    const known = Object.values(routes).map(({ method, path, summary }) => [`${method} ${path}`, summary])
    expect(told).toEqual(known)
  })

  test('has every event with its fields, and no other', () => {
    const told = rowsBelow(page, 'Events').map(([type, fields]) => [bare(type), bare(fields)])
    const known = Object.entries(runEventSchemas).map(([type, { properties, required }]) => {
      const own = Object.keys(properties).filter((name) => !(name in eventEnvelopeSchema.properties))
      const isNeeded = (name: string) => (required as readonly string[]).includes(name)
      return [type, own.map((name) => (isNeeded(name) ? name : `${name}?`)).join(', ')]
    })
    expect(told).toEqual(known)
  })

  test('has every key of a request, and no other', () => {
    const told = rowsBelow(page, 'A run').flatMap(([keys]) => bare(keys).split(', '))
    expect(told.sort()).toEqual(Object.keys(runRequestSchema.properties).sort())
  })
})

describe('host.md', () => {
  test('has every key of a configuration file, and no other', () => {
    const told = rowsBelow('docs/host.md', 'From the command line').flatMap(([keys]) =>
      bare(keys).split(', '),
    )
    const known = Object.keys(hostFileSchema.properties).filter((key) => key !== '$schema')
    expect(told.sort()).toEqual(known.sort())
  })
})

describe('links', () => {
  test('of every page lead to a file, and to a heading of it', () => {
    const pages = trackedFiles().filter((path) => path.endsWith('.md') || path === 'llms.txt')
    expect(pages.flatMap((page) => brokenLinks(page, readFileSync(join(root, page), 'utf8')))).toEqual([])
  })

  test.each(['README.md', 'llms.txt'])('of %s lead to every document', (page) => {
    const documents = userPages().filter((each) => each.startsWith('docs/'))
    expect(documents.filter((document) => !pageText(page).includes(`](${document})`))).toEqual([])
  })

  test('that lead nowhere are found', () => {
    const links = [
      'docs/start.md',
      'docs/start.md#sessions',
      'docs/no.md',
      'docs/start.md#no',
      'https://x.example',
    ]
    const text = links.map((link) => `[x](${link})`).join(' ')
    expect(brokenLinks('README.md', text)).toEqual(['README.md: docs/no.md', 'README.md: docs/start.md#no'])
  })
})
