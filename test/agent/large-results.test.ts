import fc from 'fast-check'
import { expect, test } from 'vitest'
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
