import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolder } from '../../../src/cli/folder/folder.ts'
import { writeReport } from '../../../src/cli/tools/write-report.ts'
import type { ExecutionContext } from '../../../src/core/executor.ts'
import { testFolder } from '../fixture.ts'
import { callTool } from './call-tool.ts'

test('a report is written whole, with its ending, and nothing is left beside it', async () => {
  using folder = testFolder()
  const { text } = await callTool(folder.path, 'write_report', { path: './notes//a', markdown: '# A' })
  expect(JSON.parse(text)).toEqual({ path: 'notes/a.md', bytes: 4, lines: 1 })
  expect(readFileSync(join(folder.path, 'notes/a.md'), 'utf8')).toBe('# A\n')
  expect(readdirSync(join(folder.path, 'notes'))).toEqual(['a.md'])
})

test('who is asked is told what would be replaced', async () => {
  using folder = testFolder({ 'README.md': 'four' })
  const layers: string[] = []
  await callTool(folder.path, 'write_report', { path: 'README', markdown: 'x' }, (request) => {
    for (const { layer, reason } of request.why) if (layer === 'check') layers.push(reason)
    return { approved: false }
  })
  expect(layers).toEqual(['It replaces "README.md", which holds 4 bytes.'])
  expect(readFileSync(join(folder.path, 'README.md'), 'utf8')).toBe('four')
})

test('a folder is no place for a report, and a folder that is missing is made', async () => {
  using folder = testFolder({ 'a.md/b': '' })
  expect((await callTool(folder.path, 'write_report', { path: 'a.md', markdown: 'x' })).text).toMatch(
    /is a folder/,
  )
  expect((await callTool(folder.path, 'write_report', { path: 'notes/', markdown: 'x' })).text).toMatch(
    /names a folder/,
  )
  expect((await callTool(folder.path, 'write_report', { path: 'p/q/r', markdown: 'x' })).isError).toBe(false)
  expect(statSync(join(folder.path, 'p/q/r.md')).isFile()).toBe(true)
})

test('after a crash the tool tells whether the file holds exactly the report', async () => {
  using folder = testFolder({ 'a.md': '# A\n', 'b.md': 'other\n' })
  const { executor } = writeReport(openFolder(folder.path))
  const found = (path: string) => executor.reconcile?.(callOf(path), context())
  expect(await found('a.md')).toEqual({ found: 'completed', value: { path: 'a.md', bytes: 4 } })
  expect(await found('b.md')).toEqual({ found: 'not_run' })
  expect(await found('c.md')).toEqual({ found: 'not_run' })
  expect(await found('../d.md')).toEqual({ found: 'unknown' })
})

test('an abort before the file is in its place leaves the old one', async () => {
  using folder = testFolder({ 'a.md': 'old\n' })
  const { executor } = writeReport(openFolder(folder.path))
  const ended = await executor.execute(callOf('a.md'), context(AbortSignal.abort(new Error('Stop.'))))
  expect(ended).toMatchObject({ status: 'failed', message: 'Stop.' })
  expect(readFileSync(join(folder.path, 'a.md'), 'utf8')).toBe('old\n')
  expect(readdirSync(folder.path)).toEqual(['a.md'])
})

test('a place that cannot be written to is told by its path in the folder and the reason alone', {
  skip: process.platform !== 'linux',
}, async () => {
  for (const path of ['a.md', 'notes/a.md']) {
    const { text, isError } = await callTool('/proc/self', 'write_report', { path, markdown: 'x' })
    expect(isError).toBe(true)
    expect(text).toContain(`"${path}" cannot be written: `)
    expect(text).not.toMatch(/\/proc|\.tmp/)
  }
})

function callOf(path: string) {
  return { id: 'call_1', name: 'write_report', claim: 1, args: { path, markdown: '# A' }, digest: '' }
}

function context(signal = new AbortController().signal): ExecutionContext {
  const session = { id: 'session_1', subject: 'local' }
  return {
    signal,
    idempotencyKey: 'call_1',
    session,
    run: 'run_1',
    agent: 'agent',
    attempt: 1,
    state: {} as ExecutionContext['state'],
    progress: () => undefined,
    readResult: async () => undefined,
    now: () => 0,
  }
}
