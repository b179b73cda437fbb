import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askIn, begin, run, sample, testFolder } from './fixture.ts'

test('without a terminal, start declines what it must ask, says how to answer, and ends well', async () => {
  using folder = testFolder(sample)
  const { code, stdout, stderr } = await run(['start', '--dir', folder.path])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).toContain('scripted')
  for (const variable of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_BASE_URL', 'TOOLPOST_MODEL']) {
    expect(stdout.split('\n').slice(0, 5).join('\n')).toContain(variable)
  }
  expect(stdout).toContain('declined')
  expect(stdout).toMatch(/start --leave-open/)
  expect(stdout).toMatch(/approve ID/)
  expect(existsSync(join(folder.path, 'toolpost-report.md'))).toBe(false)
})

test('the model is told why nobody could be asked', async () => {
  using folder = testFolder(sample)
  const { stdout } = await run(['start', '--dir', folder.path])
  expect(stdout).toMatch(/── step 5\nNo report was written\. I was told: .*No terminal is attached/)
})

test('no colour is written to a pipe, with NO_COLOR least of all, and with FORCE_COLOR it is', async () => {
  using folder = testFolder()
  expect((await run(['start', '--dir', folder.path])).stdout).not.toContain('\u001b')
  expect((await run(['start', '--dir', folder.path], { NO_COLOR: '1' })).stdout).not.toContain('\u001b')
  expect((await run(['start', '--dir', folder.path], { FORCE_COLOR: '1' })).stdout).toContain('\u001b[')
})

test('an ask that is left open is answered by another process, and a waiting run goes on at once [approvals/M13]', async () => {
  using folder = testFolder(sample)
  const waiting = begin(['start', '--dir', folder.path, '--leave-open', '--wait'])
  const ask = askIn((await waiting.output(/approve ask_\w+/))[0])
  const approved = await run(['approve', ask, '--dir', folder.path])
  expect(approved.code).toBe(0)
  expect(approved.stdout).toContain('The process that waits for it goes on.')
  const { code, stdout } = await waiting.ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/write_report allowed by .*\(command-line\)/)
  const report = readFileSync(join(folder.path, 'toolpost-report.md'), 'utf8')
  expect(report).toContain('4 files, 9 lines')
  expect(report).toContain('`src/one.ts:2`')
})

test('a reason for declining, given in another process, reaches the model', async () => {
  using folder = testFolder(sample)
  const left = await run(['start', '--dir', folder.path, '--leave-open'])
  expect(left.code).toBe(0)
  expect(left.stdout).toMatch(/resume run_/)
  const denied = await run(['deny', askIn(left.stdout), '--reason', 'Not on a Friday.', '--dir', folder.path])
  expect(denied.stdout).toMatch(/go on with: .*resume run_/)
  const { code, stdout } = await run(['resume', '--dir', folder.path])
  expect(code).toBe(0)
  expect(stdout).toContain('I was told: The call was declined. Reason: Not on a Friday.')
  expect(existsSync(join(folder.path, 'toolpost-report.md'))).toBe(false)
})

test('arguments that another process changed are what runs, prepared by the tool', async () => {
  using folder = testFolder(sample)
  const left = await run(['start', '--dir', folder.path, '--leave-open'])
  const args = JSON.stringify({ path: './notes/mine', markdown: 'Mine.' })
  await run(['approve', askIn(left.stdout), '--args', args, '--dir', folder.path])
  const { stdout } = await run(['resume', '--dir', folder.path])
  expect(readFileSync(join(folder.path, 'notes/mine.md'), 'utf8')).toBe('Mine.\n')
  expect(stdout).toContain('The report is in notes/mine.md (1 line)')
})

test('a process that was killed while an ask was open is followed at once, and no step is played twice', async () => {
  using folder = testFolder(sample)
  const killed = begin(['start', '--dir', folder.path, '--leave-open', '--wait'])
  const ask = askIn((await killed.output(/approve ask_\w+/))[0])
  killed.child.kill('SIGKILL')
  await killed.ended
  const approved = await run(['approve', ask, '--dir', folder.path])
  expect(approved.stdout).toContain('Nobody waits for it')
  const { code, stdout } = await run(['resume', '--dir', folder.path])
  expect(code).toBe(0)
  expect(stdout).toContain('after step 4')
  expect(stdout).not.toContain('count_lines')
  expect(existsSync(join(folder.path, 'toolpost-report.md'))).toBe(true)
  expect((await run(['resume', '--dir', folder.path])).code).toBe(1)
})

test('Ctrl-C while an ask is open leaves it open', async () => {
  using folder = testFolder(sample)
  const waiting = begin(['start', '--dir', folder.path, '--leave-open', '--wait'])
  await waiting.output(/approve ask_\w+/)
  waiting.child.kill('SIGINT')
  const { code, stdout } = await waiting.ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/The run rests: an ask is open/)
  expect((await run(['asks', '--dir', folder.path])).stdout).toContain(askIn(stdout))
})

test('an empty folder has a report too', async () => {
  using folder = testFolder()
  const { stdout } = await run(['start', '--dir', folder.path, '--leave-open', '--json'])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const asked = lines.find((line) => line.type === 'call.proposed' && line.name === 'write_report')
  expect(asked.accepted.args.markdown).toContain('The folder holds no files.')
})

test('in JSON, start writes one event a line and ends with a result', async () => {
  using folder = testFolder(sample)
  const { code, stdout } = await run(['start', '--dir', folder.path, '--json'])
  expect(code).toBe(0)
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ type: 'start', dir: folder.path, scripted: true, model: 'scripted/model' })
  expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'completed', tickets: [], next: [] })
  expect(lines.slice(1, -1).every((line) => typeof line.sequence === 'number')).toBe(true)
})

test('a folder keeps its record out of git by itself', async () => {
  using folder = testFolder()
  await run(['start', '--dir', folder.path])
  expect(readFileSync(join(folder.path, '.toolpost/.gitignore'), 'utf8')).toBe('*\n')
})

test('a reader that has seen enough ends the program, which says how to go on with the run', async () => {
  using folder = testFolder(sample)
  const child = begin(['start', '--dir', folder.path])
  await child.output(/> Look over this folder/)
  child.child.stdout?.destroy()
  const { code, stderr } = await child.ended
  expect(code).toBe(0)
  expect(stderr).toMatch(/^The run has not ended; go on with: .*resume run_\w+ --dir .*\n$/)
})

test('without a terminal, an ask that was left open stays open through a resume, until somebody answers it', async () => {
  using folder = testFolder(sample)
  const left = await run(['start', '--dir', folder.path, '--leave-open'])
  const ask = askIn(left.stdout)
  const again = await run(['resume', '--dir', folder.path])
  expect(again.code).toBe(0)
  expect(again.stdout).toMatch(/The run rests: an ask is open/)
  expect(again.stdout).toContain(`approve ${ask}`)
  expect(again.stdout).not.toContain('declined')
  expect((await run(['approve', ask, '--dir', folder.path])).code).toBe(0)
  await run(['resume', '--dir', folder.path])
  expect(existsSync(join(folder.path, 'toolpost-report.md'))).toBe(true)
})

test('without a terminal, an ask that survived a kill stays open through a resume', async () => {
  using folder = testFolder(sample)
  const killed = begin(['start', '--dir', folder.path, '--leave-open', '--wait'])
  const ask = askIn((await killed.output(/approve ask_\w+/))[0])
  killed.child.kill('SIGKILL')
  await killed.ended
  expect((await run(['resume', '--dir', folder.path, '--json'])).stdout).toContain('"status":"waiting"')
  expect((await run(['asks', '--dir', folder.path])).stdout).toContain(ask)
})

test.each([
  ['a folder that cannot hold a record', ['--dir', '/proc/self'], /\/\.toolpost": .*--store FILE/],
  [
    'a store below a folder that cannot be made',
    ['--store', '/proc/x/y.db'],
    /"\/proc\/x\/y\.db".*--store FILE/,
  ],
])('%s is told with what to do', { skip: process.platform !== 'linux' }, async (_what, words, sentence) => {
  using folder = testFolder()
  const { code, stderr } = await run(['start', '--dir', folder.path, ...words])
  expect(code).toBe(1)
  expect(stderr).toMatch(sentence)
  expect(stderr).toMatch(/^error: .+ \[INVALID_ARGUMENT\]\n$/)
})

test('a file where the folder of the record should be, and a folder where its file should be, are told', async () => {
  using folder = testFolder({ '.toolpost': '' })
  expect((await run(['start', '--dir', folder.path])).stderr).toMatch(/is a file, not a folder; --store FILE/)
  for (const command of ['start', 'runs']) {
    const { code, stderr } = await run([command, '--dir', folder.path, '--store', folder.path])
    expect(code).toBe(1)
    expect(stderr).toMatch(/is a folder; --store FILE/)
  }
})
