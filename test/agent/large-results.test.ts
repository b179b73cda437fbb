import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPart } from '../../src/agent/read-part.ts'
import { agent, type DriverRequest, memoryStore, scriptedModel, tool } from '../../src/index.ts'
import { byteLength, previewOf } from '../../src/runtime/preview.ts'
import { calling, play } from '../support/play.ts'

const giving = (text: (n: number) => unknown) =>
  tool({
    name: 'give',
    description: 'Gives',
    toolClass: 'read',
    schema: { type: 'object', properties: { n: { type: 'integer' } } },
    execute: ({ n }) => text(n ?? 0),
  })

const numbered = (count: number) =>
  Array.from({ length: count }, (_each, index) => `line ${index + 1}`).join('\n')
const handleIn = (told: string | undefined) => /sha256:[0-9a-f]{64}/.exec(told ?? '')?.[0] as string

/** Plays calls of which the later ones are made from what was told before. */
async function converse(first: (n: number) => unknown, ...next: ((handle: string) => object)[]) {
  const told: string[] = []
  const offered: string[][] = []
  const model = scriptedModel((request: DriverRequest, step) => {
    offered.push(request.tools.map(({ name }) => name))
    const results = request.messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
    told.splice(0, told.length, ...results.map(({ text }) => text))
    if (step === 1) return calling('give')
    const make = next[step - 2]
    return make === undefined ? 'done' : calling('read_result', make(handleIn(told[0])))
  })
  await (await agent({ name: 'a', model, tools: [giving(first)] }).startSession()).run('go')
  return { told, offered }
}

test('a large result reaches the model as its head, its tail and a last line that says where the whole of it is [faults/F51]', async () => {
  const { told, offered } = await converse(() => numbered(20_000))
  expect(byteLength(told[0] as string)).toBeLessThanOrEqual(32_000)
  expect(told[0]).toMatch(/^line 1\nline 2\n/)
  expect(told[0]).toContain('\nline 20000\n[The whole result has ')
  expect(told[0]?.split('\n').at(-1)).toMatch(/read_result reads parts of sha256:[0-9a-f]{64}\]$/)
  expect(offered).toEqual([['give'], ['give', 'read_result']])
})

test('the model reads lines, characters, matching lines and parts of JSON of a large result', async () => {
  const lines = await converse(
    () => numbered(20_000),
    (handle) => ({ handle, fromLine: 9_999, lines: 2 }),
    (handle) => ({ handle, search: '^line 1234.$' }),
    (handle) => ({ handle, fromCharacter: 0, characters: 6 }),
    (handle) => ({ handle, pointer: '/a' }),
    (handle) => ({ handle, search: '(a+)+$(?=b)' }),
  )
  expect(lines.told[1]).toBe('line 9999\nline 10000\n[Lines 9999 to 10000 of 20000]')
  expect(lines.told[2]).toMatch(/^12340: line 12340\n/)
  expect(lines.told[3]).toMatch(/^line 1\n\[Characters 0 to 6 of /)
  expect(lines.told[4]).toBe('Error: This result is no JSON; read its lines instead.')
  expect(lines.told[5]).toMatch(/^Error: The search is no pattern/)
  const json = await converse(
    () => ({
      items: Array.from({ length: 5_000 }, (_each, index) => ({ id: index, name: `item ${index}` })),
    }),
    (handle) => ({ handle, pointer: '/items/4321' }),
    (handle) => ({ handle, pointer: '/nothing' }),
  )
  expect(json.told[1]).toBe('{"id":4321,"name":"item 4321"}')
  expect(json.told[2]).toBe('Error: The result has nothing at /nothing.')
})

/** Reads the arguments, one call after the other, of a value that was too large; without the first answer. */
async function readings(value: unknown, ...wanted: object[]): Promise<string[]> {
  const { told } = await converse(
    () => value,
    ...wanted.map((each) => (handle: string) => ({ handle, ...each })),
  )
  return told.slice(1)
}

const items = Array.from({ length: 5_000 }, (_each, index) => ({ id: index, name: `item ${index}` }))

test('a search in one long line gives what surrounds each match, and where to go on', async () => {
  const whole = JSON.stringify({ items })
  const at = whole.indexOf('"item 4321"')
  const [one, many] = await readings({ items }, { search: '"item 4321"' }, { search: '"item 4\\d01"' })
  expect(one).toBe(`1, character ${at}: [...]${whole.slice(at - 120, at + 280)}[...]`)
  expect(many).toContain('"item 4001"')
  expect(many).toContain('"item 4901"')
  const [first] = await readings({ items }, { search: 'item' })
  const next = /\n\[More matches: go on with fromCharacter: (\d+)\]$/.exec(first ?? '')?.[1]
  const [second] = await readings({ items }, { search: 'item', fromCharacter: Number(next) })
  expect(second).toMatch(new RegExp(`^1, character ${next}: `))
})

test('matching lines beyond what is shown are reached by going on', async () => {
  const text = numbered(20_000).replaceAll('line', 'ERROR')
  const [first] = await readings(text, { search: 'ERROR' })
  expect(first?.split('\n').at(-1)).toBe('[19800 more matching lines: go on with fromLine: 201]')
  const [second, last] = await readings(
    text,
    { search: 'ERROR', fromLine: 201 },
    { search: '(?i)error', fromLine: 19_999 },
  )
  expect(second?.split('\n')[0]).toBe('201: ERROR 201')
  expect(last).toBe('19999: ERROR 19999\n20000: ERROR 20000')
})

test('lines may end with CR LF', async () => {
  const text = `${numbered(20_000)}\na`.replaceAll('\n', '\r\n')
  const [found, lines] = await readings(text, { search: '^a$' }, { fromLine: 1, lines: 2 })
  expect(found).toBe('20001: a')
  expect(lines).toBe('line 1\nline 2\n[Lines 1 to 2 of 20001]')
})

test('a pointer goes with lines, characters and a search; a string there is read as its text', async () => {
  const value = { log: `${numbered(20_000)}`, big: 'x'.repeat(50_000), items }
  const [lines, found, characters, big, rest] = await readings(
    value,
    { pointer: '/log', fromLine: 3, lines: 1 },
    { pointer: '/log', search: '^line 777$' },
    { pointer: '/big', fromCharacter: 49_998 },
    { pointer: '/big' },
    { pointer: '/items', search: '"item 4999"' },
  )
  expect(lines).toBe('line 3\n[Lines 3 to 3 of 20000]')
  expect(found).toBe('777: line 777')
  expect(characters).toBe('xx\n[Characters 49998 to 50000 of 50000]')
  expect(big).toMatch(/^x{16000}\n\[Characters 0 to 16000 of 50000: go on with fromCharacter: 16000\]$/)
  expect(rest).toContain('"item 4999"')
})

test.each([
  [{ fromLine: 1, fromCharacter: 1 }, /^Error: Read by lines .* or by characters .*, not by both\.$/],
  [{ lines: 1, characters: 1 }, /^Error: Read by lines/],
  [{ search: 'x', lines: 5 }, /^Error: A search takes no "lines" and no "characters"/],
  [{ search: 'x', characters: 5 }, /^Error: A search takes no "lines"/],
  [{ search: 'x', fromLine: 1, fromCharacter: 1 }, /^Error: Read by lines/],
  [{ pointer: 'items' }, /^Error: "items" is no JSON pointer; one begins with/],
])('arguments that exclude each other are refused with a sentence: %j', async (wanted, sentence) => {
  expect((await readings({ items }, wanted))[0]).toMatch(sentence)
})

test.each([
  ['lines of Japanese', Array.from({ length: 4_000 }, () => '日本語の行です。'.repeat(9)).join('\n')],
  ['one line of Japanese', '日本語'.repeat(60_000)],
  ['characters beyond the first plane', '😀'.repeat(60_000)],
])('a reading fits the cap of a call in bytes and makes no handle of its own: %s', async (_, text) => {
  const wanted: object[] = [
    {},
    { lines: 200 },
    { fromCharacter: 3, characters: 16_000 },
    { search: '日|😀' },
    { pointer: '/a' },
  ]
  for (const results of [{}, { callTokensMax: 300 }, { runTokensMax: 400 }]) {
    for (const each of wanted) {
      const store = memoryStore()
      const model = scriptedModel(({ messages }: DriverRequest, step) => {
        const last = messages.at(-1)
        const told = last?.role === 'tool' ? last.results[0]?.text : ''
        return step === 1
          ? calling('give')
          : step === 2
            ? calling('read_result', { handle: handleIn(told), ...each })
            : 'done'
      })
      const give = giving(() => ('pointer' in each ? { a: text } : text))
      const session = await agent({ name: 'a', model, tools: [give], store, results }).startSession()
      await session.run('go')
      const end = [...session.state.calls.values()][1]?.end
      expect(end).toMatchObject({ status: 'completed', text: { inline: expect.stringMatching(/日|😀/) } })
      const inline = (end as { text: { inline: string } }).text.inline
      expect(inline).not.toContain('\ufffd')
      expect(inline).not.toContain('Cut to')
      expect(byteLength(inline)).toBeLessThanOrEqual(
        'callTokensMax' in results ? 1_200 : 'runTokensMax' in results ? 1_024 : 32_000,
      )
      expect(session.state.spilled.size).toBe(1)
    }
  }
})

test('readings that spend the budget side by side are cut, and make no handle either', async () => {
  const steps = (handle: string) => [
    Array.from({ length: 6 }, (_each, place) => ({
      name: 'read_result',
      args: { handle, fromCharacter: place * 9_000, characters: 8_000 },
    })),
  ]
  const model = scriptedModel(({ messages }: DriverRequest, step) => {
    const last = messages.at(-1)
    const told = last?.role === 'tool' ? last.results[0]?.text : ''
    if (step === 1) return calling('give')
    return step === 2 ? { calls: steps(handleIn(told))[0]! } : 'done'
  })
  const tools = [giving(() => 'x'.repeat(90_000))]
  const results = { callTokensMax: 2_500, runTokensMax: 6_000 }
  const session = await agent({ name: 'a', model, tools, results }).startSession()
  await session.run('go')
  const ends = [...session.state.calls.values()]
    .slice(1)
    .map(({ end }) => end as { text: { inline: string } })
  expect(ends.map(({ text, ...rest }) => (text === undefined ? rest : typeof text.inline))).toEqual(
    Array.from({ length: 6 }, () => 'string'),
  )
  expect(session.state.spilled.size).toBe(1)
})

test('every character of a text is reached by going on where a reading says', async () => {
  const text = `${'a\u00e9日😀\r\n'.repeat(9)}${'日😀'.repeat(2_000)}\n`.repeat(3)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 300, max: 3_000 }), async (bytesMax) => {
      let read = ''
      for (let at: number | undefined = 0; at !== undefined; ) {
        const part: string = readPart(text, { handle: '', fromCharacter: at, characters: 16_000 }, bytesMax)
        const [last = ''] = /\n\[[^\n]*\]$/.exec(part) ?? []
        read += part.slice(0, part.length - last.length)
        const next: string | undefined = /fromCharacter: (\d+)/.exec(last)?.[1]
        at = next === undefined ? undefined : Number(next)
      }
      expect(read).toBe(text)
    }),
    { numRuns: 20 },
  )
})

test('a handle opens nothing in another conversation', async () => {
  const store = memoryStore()
  const make = (step: object) =>
    agent({ name: 'a', model: scriptedModel([step, 'done']), tools: [giving(() => numbered(20_000))], store })
  const owner = await make(calling('give') as object).startSession()
  await owner.run('go')
  const [handle] = owner.state.spilled.keys()
  const other = await make(calling('read_result', { handle }) as object).startSession()
  await other.run('go')
  expect([...other.state.calls.values()][0]?.end).toMatchObject({
    status: 'failed',
    message: `This conversation has no result ${handle}.`,
  })
})

test('the same large result a second time is named, not repeated [faults/F51]', async () => {
  const { told } = await play({ tools: [giving(() => numbered(20_000))] }, [
    calling('give', { n: 1 }),
    calling('give', { n: 2 }),
  ])
  expect(told[1]).toMatch(/^\[The same result as before, of \d+ bytes: read_result reads parts of sha256:/)
})

test('a run that has spent its budget still gets a preview of each result, and no more', async () => {
  const text = (n: number) => `${n} ${'x'.repeat(3_900)}`
  const steps = Array.from({ length: 5 }, (_each, n) => calling('give', { n }))
  const { told } = await play({ tools: [giving(text)], results: { runTokensMax: 2_000 } }, steps)
  expect(told.slice(0, 2).map((each) => each.length)).toEqual([3_902, 3_902])
  for (const each of told.slice(2)) expect(byteLength(each)).toBeLessThanOrEqual(1_024)
  expect(told[4]).toMatch(/^4 xxx[\s\S]*read_result reads parts of/)
})

test('values of a few megabytes leave the log small [faults/F54]', async () => {
  const { events } = await play({ tools: [giving(() => 'y'.repeat(3_000_000))] }, [calling('give')])
  expect(JSON.stringify(events).length).toBeLessThan(50_000)
})

test('removing a session removes its log, its rows and its large results', async () => {
  const store = memoryStore()
  const made = agent({
    name: 'a',
    model: scriptedModel([calling('give'), 'done']),
    tools: [giving(() => numbered(20_000))],
    store,
  })
  const session = await made.startSession()
  await session.run('go')
  const [handle] = session.state.spilled.keys()
  const stream = `session:${session.id}`
  expect(await store.getBlob(stream, handle as string)).toBeDefined()
  await made.removeSession(session.id)
  expect(await store.getBlob(stream, handle as string)).toBeUndefined()
  expect(await store.read(stream)).toEqual([])
  expect(await store.list({ kind: 'run' })).toEqual([])
  await expect(made.openSession(session.id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

test("read_result is the runtime's name: no tool of an application may have it", () => {
  const taken = tool({ name: 'read_result', description: 'Mine', execute: () => 1 })
  expect(() => agent({ name: 'a', model: scriptedModel([]), tools: [taken] })).toThrowError(
    expect.objectContaining({ code: 'RESERVED_NAME' }),
  )
})

test("an administrator's list does not cut the model off from its own results", async () => {
  const { calls } = await play(
    { tools: [giving(() => numbered(20_000))], contract: { tools: { give: {} } } },
    [calling('give'), calling('read_result', { handle: 'sha256:0' })],
  )
  expect(calls[1]?.end).toMatchObject({ status: 'failed', code: 'tool_error' })
})

test('a preview never cuts a character and never passes its bound', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 0, maxLength: 400 }),
      fc.integer({ min: 60, max: 300 }),
      (text, bytesMax) => {
        const bytes = new TextEncoder().encode(text)
        expect(byteLength(text)).toBe(bytes.length)
        const preview = previewOf(bytes, bytesMax, '[last line]')
        expect(byteLength(preview)).toBeLessThanOrEqual(bytesMax)
        expect(preview.includes('�')).toBe(text.includes('�'))
        expect(preview.endsWith('\n[last line]')).toBe(true)
      },
    ),
  )
})

test('messages of failed and refused calls keep to the budget, and the log keeps them', async () => {
  const failing = tool({
    name: 'fail',
    description: 'Fails',
    toolClass: 'read',
    schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    execute: ({ n }) => {
      throw new Error(`${n} ${'é'.repeat(7_000)}`)
    },
  })
  const made = Array.from({ length: 32 }, (_each, n) => ({ name: 'fail', args: { n } }))
  const wrong = { name: 'fail', args: { n: 'x', [`${'k'.repeat(3_000)}`]: 1 } }
  const { told, calls } = await play({ tools: [failing], results: { runTokensMax: 5_000 } }, [
    { calls: made },
    { calls: [wrong] },
  ])
  expect(told[0]).toMatch(/^Error: 0 é+$/)
  for (const text of told.slice(2, 32)) {
    expect(text).toMatch(
      /^Error: \d+ é+\n\[\d+ more bytes left out: the run has used its room for results\]$/,
    )
    expect(byteLength(text)).toBeLessThanOrEqual(1_024 + 'Error: '.length)
  }
  expect(calls[31]?.end).toMatchObject({ message: `31 ${'é'.repeat(7_000)}` })
  expect(calls[31]?.toldBytes).toBe(1_024)
})

test('a result of which parts were left out does not claim that the whole of it is kept', async () => {
  const values = Array.from({ length: 100_100 }, (_each, index) => index)
  const { told } = await play({ tools: [giving(() => values)] }, [calling('give')])
  const last = told[0]?.split('\n').at(-1)
  expect(last).toMatch(
    /^\[Parts of the result were replaced or left out; .* read_result reads parts of sha256:/,
  )
})
