import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { compatibleServer } from '../compatible-server.ts'
import { askIn, run, sample, testFolder } from '../fixture.ts'
import { controlC, down, enter, inTerminal } from '../pseudo-terminal.ts'

test('in a terminal an ask is shown with what would run, and Enter on the first choice allows it once', async () => {
  using folder = testFolder(sample)
  const terminal = inTerminal(['start', '--dir', folder.path])
  await terminal.output(/Shall write_report run\?[\s\S]*Leave it open/)
  terminal.press(enter)
  const { code, stdout } = await terminal.ended
  const seen = stripVTControlCharacters(stdout)
  expect(code).toBe(0)
  expect(seen).toContain('path      "toolpost-report.md"')
  expect(seen).toMatch(/class {3}write, in mode ask/)
  expect(seen).toMatch(/write_report allowed by you/)
  expect(existsSync(join(folder.path, 'toolpost-report.md'))).toBe(true)
})

test('the reason that a person types for declining is what the model is told', async () => {
  using folder = testFolder(sample)
  const terminal = inTerminal(['start', '--dir', folder.path])
  await terminal.output(/Shall write_report run\?[\s\S]*Leave it open/)
  for (const _ of ['session', 'edit', 'deny']) terminal.press(down)
  await terminal.output(/● Decline/)
  terminal.press(enter)
  await terminal.output(/Why not\?/)
  terminal.press(`too long${enter}`)
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  expect(stripVTControlCharacters(stdout)).toContain('The call was declined. Reason: too long')
  expect(existsSync(join(folder.path, 'toolpost-report.md'))).toBe(false)
})

test('a person can change an argument; a wrong one is told and asked for again', async () => {
  using folder = testFolder(sample)
  const terminal = inTerminal(['start', '--dir', folder.path])
  await terminal.output(/Shall write_report run\?[\s\S]*Leave it open/)
  terminal.press(down + down)
  await terminal.output(/● Change the arguments/)
  terminal.press(enter)
  await terminal.output(/What shall be changed\?[\s\S]*Back, without/)
  terminal.press(enter)
  await terminal.output(/toolpost-report\.md█/)
  terminal.press(`\u0015../away${enter}`)
  await terminal.output(/leads out of the folder[\s\S]*Back, without/)
  terminal.press(enter)
  await terminal.output(/leads out of the folder[\s\S]*\.\.\/away█/)
  terminal.press(`\u0015kept/mine${enter}`)
  await terminal.output(/kept\/mine[\s\S]*Back, without/)
  terminal.press(down + down + down)
  await terminal.output(/● Done/)
  terminal.press(enter)
  await terminal.output(/Shall it run like this\?[\s\S]*Back/)
  terminal.press(enter)
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  expect(readFileSync(join(folder.path, 'kept/mine.md'), 'utf8')).toContain('# What is in this folder')
  expect(stripVTControlCharacters(stdout)).toContain('The report is in kept/mine.md')
})

test('Ctrl-C at the prompt leaves the ask open and says how to go on', async () => {
  using folder = testFolder(sample)
  const terminal = inTerminal(['start', '--dir', folder.path])
  await terminal.output(/Shall write_report run\?[\s\S]*Leave it open/)
  terminal.press(controlC)
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/approve ask_\w+/)
  expect(stdout).toMatch(/resume run_\w+/)
  expect((await run(['asks', '--dir', folder.path])).stdout).toContain(askIn(stdout))
})

test('an answer from another process closes the open prompt and says who gave it', async () => {
  using folder = testFolder(sample)
  const terminal = inTerminal(['start', '--dir', folder.path])
  const shown = await terminal.output(/Shall write_report run\?[\s\S]*Leave it open/)
  await run(['approve', askIn(shown.input), '--dir', folder.path])
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  expect(stripVTControlCharacters(stdout)).toMatch(/write_report allowed by \S+ \(command-line\)/)
  expect(existsSync(join(folder.path, 'toolpost-report.md'))).toBe(true)
})

test.each([
  ['--no-input', ['--no-input'], {}],
  ['CI', [], { CI: 'true' }],
])('%s switches the prompt off, in a terminal too', async (_what, words, extra) => {
  using folder = testFolder(sample)
  const terminal = inTerminal(['start', ...words, '--dir', folder.path], extra)
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  expect(stdout).not.toContain('Shall write_report run?')
  expect(stdout).toContain('nobody could be asked')
})

test('an ask that is decided elsewhere while it waits for its turn is never brought to the screen', async () => {
  await using server = await compatibleServer()
  using folder = testFolder()
  const report = (path: string) => ({
    name: 'write_report',
    arguments: JSON.stringify({ path, markdown: path }),
  })
  server.calls(report('one'), report('two'))
  const terminal = inTerminal(['start', 'Write two.', '--dir', folder.path], { OPENAI_BASE_URL: server.url })
  await terminal.output(/Shall write_report run\?[\s\S]*Leave it open/)
  const { asks } = JSON.parse((await run(['asks', '--json', '--dir', folder.path])).stdout)
  const queued = asks.find((ask: { args: { path: string } }) => ask.args.path === 'two.md')
  await run(['approve', queued.id, '--dir', folder.path])
  terminal.press(enter)
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  const seen = stripVTControlCharacters(stdout)
  expect(seen.match(/wants to run and asks first/g)).toHaveLength(1)
  expect(seen).toMatch(/write_report allowed by you/)
  expect(seen).toMatch(/write_report allowed by \S+ \(command-line\)/)
  expect(existsSync(join(folder.path, 'one.md')) && existsSync(join(folder.path, 'two.md'))).toBe(true)
})

test('an answer for the session closes the other asks of its tool', async () => {
  await using server = await compatibleServer()
  using folder = testFolder()
  const report = (path: string) => ({
    name: 'write_report',
    arguments: JSON.stringify({ path, markdown: path }),
  })
  server.calls(report('one'), report('two'))
  const terminal = inTerminal(['start', 'Write two.', '--dir', folder.path], { OPENAI_BASE_URL: server.url })
  await terminal.output(/Shall write_report run\?[\s\S]*Leave it open/)
  terminal.press(down)
  await terminal.output(/● Allow write_report for this session/)
  terminal.press(enter)
  const { code, stdout } = await terminal.ended
  expect(code).toBe(0)
  expect(stripVTControlCharacters(stdout).match(/wants to run and asks first/g)).toHaveLength(1)
  expect(existsSync(join(folder.path, 'one.md')) && existsSync(join(folder.path, 'two.md'))).toBe(true)
})
