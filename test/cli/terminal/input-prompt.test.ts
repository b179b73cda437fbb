import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { type DeskOptions, deskModule } from '../desk-module.ts'
import { run, testFolder } from '../fixture.ts'
import { controlC, down, enter, inTerminal } from '../pseudo-terminal.ts'

/** A call of the tool that asks, in a terminal. */
function calling(module: string) {
  return inTerminal(['call', 'book_room', '--args', '{"room": "Orion"}', '--agent', module])
}

function desk(options: DeskOptions = {}) {
  const folder = testFolder()
  return { module: deskModule(folder, options), [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

test('in a terminal a flat answer is asked for field by field, each by its type', async () => {
  using place = desk()
  const terminal = calling(place.module)
  await terminal.output(
    /book_room asks for an answer[\s\S]*"Orion"[\s\S]*approved: May it be booked\?[\s\S]*No/,
  )
  terminal.press(enter)
  await terminal.output(/◆ {2}floor[\s\S]*ground[\s\S]*first/)
  terminal.press(down)
  await terminal.output(/● first/)
  terminal.press(enter)
  await terminal.output(/◆ {2}seats/)
  terminal.press(`many${enter}`)
  await terminal.output(/Type a number/)
  terminal.press(`\u00150${enter}`)
  await terminal.output(/at least 1|minimum/)
  terminal.press(`\u001512${enter}`)
  await terminal.output(/◆ {2}note \(may be left empty\)/)
  terminal.press(enter)
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  expect(stripVTControlCharacters(stdout)).toContain(
    '{"booked":"Orion","with":{"approved":true,"floor":"first","seats":12}}',
  )
})

test('any other answer is asked for as JSON; a wrong one is told and asked for again', async () => {
  using place = desk({ yieldSchema: `{ type: 'array', items: { type: 'string' }, minItems: 1 }` })
  const terminal = calling(place.module)
  await terminal.output(/wants {3}string\[\][\s\S]*Your answer, as JSON/)
  terminal.press(`["a"${enter}`)
  await terminal.output(/\["a"█?[\s\S]*(ends|expected|JSON)/)
  terminal.press(`\u0015[4]${enter}`)
  await terminal.output(/The answer does not pass:[\s\S]*string[\s\S]*Your answer, as JSON/)
  terminal.press(`\u0015["a"]${enter}`)
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  expect(stripVTControlCharacters(stdout)).toContain('"with":["a"]')
})

test('Ctrl-C at a question leaves it open, and the text says how to answer', async () => {
  using place = desk()
  const terminal = calling(place.module)
  await terminal.output(/approved: May it be booked\?/)
  terminal.press(controlC)
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/answer ask_\w+ --agent/)
  const { asks } = JSON.parse((await run(['asks', '--json', '--agent', place.module])).stdout)
  expect(asks).toHaveLength(1)
})

test('an answer from another process closes the open question', async () => {
  using place = desk({ yieldSchema: `{ type: 'string' }` })
  const terminal = calling(place.module)
  await terminal.output(/Your answer/)
  const { asks } = JSON.parse((await run(['asks', '--json', '--agent', place.module])).stdout)
  await run(['answer', asks[0].id, '--text', 'elsewhere', '--agent', place.module])
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  expect(stripVTControlCharacters(stdout)).toContain('"with":"elsewhere"')
})

test('questions of one step come before the person one after the other', async () => {
  const two = `export default agent({ name: 'two', store, tools: [book],
    model: scriptedModel([{ calls: ['Orion', 'Lyra'].map((room) => ({ name: 'book_room', args: { room } })) }, 'Both.'], { fromHistory: true }) })`
  using place = desk({ yieldSchema: `{ type: 'string' }`, also: two })
  const begun = await begin(place.module)
  const terminal = inTerminal(['resume', begun, '--agent', place.module])
  await terminal.output(/"Orion"[\s\S]*Your answer/)
  terminal.press(`one${enter}`)
  await terminal.output(/asks for an answer[\s\S]*asks for an answer[\s\S]*"Lyra"[\s\S]*Your answer/)
  terminal.press(`two${enter}`)
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  const seen = stripVTControlCharacters(stdout)
  expect(seen).toMatch(/book_room was answered by .*"one"[\s\S]*book_room was answered by .*"two"/)
  expect(seen).toContain('Both.')
})

/** Begins a run of the module's default agent, which rests on its questions. */
async function begin(module: string): Promise<string> {
  const { default: agent } = await import(module)
  return (await (await agent.startSession()).run('Book both.')).run
}
