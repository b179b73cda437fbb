import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApprovalFunction } from '../../src/agent/approver.ts'
import { mainAgent } from '../../src/cli/main-agent.ts'
import { defaultRequest, scriptedJob } from '../../src/cli/scripted-job.ts'
import { memoryStore } from '../../src/stores/memory/memory-store.ts'
import { sample, testFolder } from './fixture.ts'
import { resultOf } from './tools/call-tool.ts'

async function play(dir: string, approvals: ApprovalFunction) {
  const agent = mainAgent({ dir, store: memoryStore(), model: scriptedJob(), approvals })
  const session = await agent.startSession('ask')
  const result = await session.run(defaultRequest)
  const written = [...session.state.calls.values()].find((call) => call.name === 'write_report')
  return { result, report: (written?.args as { markdown: string } | undefined)?.markdown ?? '' }
}

const allow: ApprovalFunction = () => ({ approved: true })

test('the report holds the numbers that the tools counted, and says which calls they come from', async () => {
  using folder = testFolder(sample)
  const { result, report } = await play(folder.path, allow)
  expect(result.status).toBe('completed')
  expect(report).toContain('4 files, 9 lines, 128 B. 1 line marked TODO or FIXME.')
  expect(report).toContain('| `src/` | 1 | 2 | 2 |')
  expect(report).toContain('For every 100 lines of source there are 50 lines of test.')
  expect(report).toContain('- Sample\n  - Use')
  expect(report).toContain('`sample` 1.2.3: 0 dependencies, 0 for development, 1 script.')
  expect(report).toContain('- `count_lines {"path":"test"}`')
})

test('names and texts from files stay text in the report', async () => {
  using folder = testFolder({ 'a|b`c.ts': '// \u0054ODO: <img src=x> [link](javascript:x) | *x*\n' })
  const { report } = await play(folder.path, allow)
  expect(report).toContain('| `` a\\|b`c.ts `` |')
  expect(report).toContain('\\<img src=x\\> \\[link\\](javascript:x) \\| \\*x\\*')
})

test('the same conversation leads to the same next words, in whichever process', async () => {
  using folder = testFolder(sample)
  const store = memoryStore()
  const ask = mainAgent({
    dir: folder.path,
    store,
    model: scriptedJob(),
    approvals: () => new Promise(() => undefined),
  })
  const session = await ask.startSession('ask')
  const stopped = session.stream(defaultRequest)
  for await (const event of stopped) if (event.type === 'approval.requested') break
  const again = await play(folder.path, allow)
  const args = [...session.state.calls.values()].find((call) => call.name === 'write_report')?.args
  expect(again.report).not.toBe('')
  expect(args).toMatchObject({ markdown: again.report })
})

test('a report is honest about what was not counted', async () => {
  using folder = testFolder({ 'a.bin': new Uint8Array([0]), 'b.md': 'x\n' })
  symlinkSync('b.md', join(folder.path, 'c.md'))
  const { report } = await play(folder.path, allow)
  expect(report).toContain('Files counted without lines: 1 binary.')
  expect(report).toContain('Links that were not followed: 1.')
  expect(report).toContain('There is no README at the top level.')
})

test('numbers of a folder that is too large to be looked at whole are told as lower bounds, wherever they stand', async () => {
  using folder = testFolder()
  for (const name of ['src', 'test']) {
    mkdirSync(join(folder.path, name))
    for (let at = 0; at < 10_001; at += 1) writeFileSync(join(folder.path, name, `${at}.md`), 'x\n')
  }
  const { result, report } = await play(folder.path, () => ({ approved: false }))
  const total =
    'At least 20,000 files, at least 20,000 lines, at least 39.1 KiB; only the first 20,000 files were counted.'
  expect(result.text).toContain(total)
  expect(report).toContain(total)
  for (const heading of ['By type', 'The largest text files', 'By folder'])
    expect(report).toContain(`## ${heading} (of the first 20,000 files)`)
  expect(report).toContain(
    'No line marked TODO or FIXME among those that were searched; 20,000 files searched.',
  )
  const told = async (name: string, args: object) => await resultOf(folder.path, name, args)
  expect(await told('list_files', { limit: 1 })).toMatchObject({ matchingAtLeast: 20_000, shown: 1 })
  expect(await told('count_lines', {})).toMatchObject({ filesAtLeast: 20_000, linesAtLeast: 20_000 })
  expect(await told('search_files', { text: 'x', limit: 1 })).toMatchObject({ matchingLinesAtLeast: 20_000 })
  expect(await told('count_lines', { path: 'src' })).toMatchObject({ files: 10_001 })
}, 120_000)

test('the absence of a README is told of the files that were listed', async () => {
  using folder = testFolder(Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`f${at}.md`, ''])))
  const { report } = await play(folder.path, allow)
  expect(report).toContain('There is no README among the first 300 files of the top level')
})

test('the pattern for open ends does not find itself', () => {
  const source = readFileSync(join(import.meta.dirname, '../../src/cli/scripted-job.ts'), 'utf8')
  expect(source).not.toMatch(/\b(TODO|FIXME)\b\s*[:(]/)
})
