import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../fixture.ts'
import { callTool, resultOf } from './call-tool.ts'

const reads = [
  ['read_file', (path: string) => ({ path })],
  ['list_files', (path: string) => ({ path })],
  ['search_files', (path: string) => ({ path, text: 'secret' })],
  ['count_lines', (path: string) => ({ path })],
  ['write_report', (path: string) => ({ path, markdown: 'mine' })],
] as const

test.each(reads)('%s goes out of the folder neither by .. nor by an absolute path', async (name, argsOf) => {
  using outside = testFolder({ 'secret.md': 'secret' })
  using folder = testFolder({ 'a/b.md': 'b' })
  for (const path of [
    '../secret.md',
    'a/../../secret.md',
    outside.path,
    join(outside.path, 'secret.md'),
    '/etc/passwd',
    'C:\\secret.md',
    '\\\\host\\share\\secret.md',
    '..',
    'a/../..',
  ]) {
    const { isError, text } = await callTool(folder.path, name, argsOf(path))
    expect(isError, path).toBe(true)
    expect(text).toMatch(/leads out of the folder|is absolute/)
  }
  expect(readFileSync(join(outside.path, 'secret.md'), 'utf8')).toBe('secret')
})

test.each(reads)('%s follows no link that leads out of the folder', async (name, argsOf) => {
  using outside = testFolder({ 'secret.md': 'secret', 'deep/secret.md': 'secret' })
  using folder = testFolder({ 'a.md': 'a' })
  symlinkSync(join(outside.path, 'secret.md'), join(folder.path, 'file.md'))
  symlinkSync(join(outside.path, 'deep'), join(folder.path, 'folder'))
  symlinkSync('folder', join(folder.path, 'again'))
  for (const path of ['file.md', 'folder/secret.md', 'again/secret.md']) {
    const { isError, text } = await callTool(folder.path, name, argsOf(path))
    expect(isError, path).toBe(true)
    expect(text).toMatch(/leads out of the folder by a link/)
  }
  expect(readFileSync(join(outside.path, 'secret.md'), 'utf8')).toBe('secret')
})

test('a link that leads out is neither listed nor searched nor counted', async () => {
  using outside = testFolder({ 'secret.md': 'secret' })
  using folder = testFolder({ 'a.md': 'a\n' })
  symlinkSync(outside.path, join(folder.path, 'out'))
  symlinkSync('.', join(folder.path, 'circle'))
  expect(await resultOf(folder.path, 'list_files', {})).toMatchObject({ matching: 1, linksNotFollowed: 2 })
  expect(await resultOf(folder.path, 'search_files', { text: 'secret' })).toMatchObject({ matchingLines: 0 })
  expect(await resultOf(folder.path, 'count_lines', {})).toMatchObject({ files: 1, lines: 1 })
})

test('a link within the folder can be read, and a report does not go through it', async () => {
  using folder = testFolder({ 'a.md': 'inside' })
  symlinkSync('a.md', join(folder.path, 'b.md'))
  expect((await callTool(folder.path, 'read_file', { path: 'b.md' })).text).toContain('inside')
  const written = await callTool(folder.path, 'write_report', { path: 'b.md', markdown: 'new' })
  expect(written.text).toMatch(/reached by a link; write to "a\.md" itself/)
})

test('a link to nothing is no place for a report', async () => {
  using outside = testFolder()
  using folder = testFolder()
  symlinkSync(join(outside.path, 'new.md'), join(folder.path, 'dangling.md'))
  symlinkSync(join(outside.path, 'new'), join(folder.path, 'dangling'))
  for (const path of ['dangling.md', 'dangling/new.md']) {
    expect((await callTool(folder.path, 'write_report', { path, markdown: 'x' })).isError).toBe(true)
  }
  expect((await resultOf(outside.path, 'list_files', {})).matching).toBe(0)
})

test('a folder that becomes a link while the ask is open leads no report out', async () => {
  using outside = testFolder()
  using folder = testFolder()
  const { isError } = await callTool(folder.path, 'write_report', { path: 'notes/a', markdown: 'x' }, () => {
    symlinkSync(outside.path, join(folder.path, 'notes'))
    return { approved: true }
  })
  expect(isError).toBe(true)
  expect((await resultOf(outside.path, 'list_files', {})).matching).toBe(0)
})

test.each(['.git/hooks.md', '.toolpost/x', 'node_modules/x', 'a/node_modules/x/y', '.GIT/x'])(
  'nothing is written to %s, and nobody is asked',
  async (path) => {
    using folder = testFolder()
    let asked = 0
    const { isError, text } = await callTool(folder.path, 'write_report', { path, markdown: 'x' }, () => {
      asked += 1
      return { approved: true }
    })
    expect(isError).toBe(true)
    expect(text).toMatch(/never written to/)
    expect(asked).toBe(0)
  },
)

test('protected folders are left out of what is listed, searched and counted', async () => {
  using folder = testFolder({
    'a.md': 'x\n',
    '.git/config': 'x\n',
    'node_modules/m/i.js': 'x\n',
    'b/node_modules/i.js': 'x\n',
  })
  expect((await resultOf(folder.path, 'list_files', {})).files).toEqual([{ path: 'a.md', bytes: 2 }])
  expect(await resultOf(folder.path, 'search_files', { text: 'x' })).toMatchObject({ searchedFiles: 1 })
  expect(await resultOf(folder.path, 'count_lines', {})).toMatchObject({ files: 1 })
})

test('what may hold secrets is read only after a person was asked, by a link too, and never searched', async () => {
  using folder = testFolder({
    '.env': 'KEY=secret\n',
    '.env.example': 'KEY=\n',
    'keys/server.pem': 'secret\n',
  })
  symlinkSync('.env', join(folder.path, 'notes.txt'))
  const reasons: string[] = []
  const decline = (request: { reason: string }) => {
    reasons.push(request.reason)
    return { approved: false }
  }
  for (const path of ['.env', 'notes.txt', 'keys/server.pem']) {
    expect((await callTool(folder.path, 'read_file', { path }, decline)).code).toBe('declined')
  }
  expect(reasons).toHaveLength(3)
  expect(reasons[0]).toBe('".env" may hold secrets, and the model would read them.')
  expect((await callTool(folder.path, 'read_file', { path: '.env.example' }, decline)).isError).toBe(false)
  const found = await resultOf(folder.path, 'search_files', { text: 'secret' })
  expect(found).toMatchObject({ matchingLines: 0, filesPassedOver: { secret: 2 } })
})

test('a name that looks like the way out is only a name', async () => {
  using folder = testFolder({ '..a/b.md': 'text' })
  mkdirSync(join(folder.path, '...'))
  writeFileSync(join(folder.path, '.../c.md'), 'text')
  linkSync(join(folder.path, '..a/b.md'), join(folder.path, '..b'))
  for (const path of ['..a/b.md', '.../c.md', '..b']) {
    expect((await callTool(folder.path, 'read_file', { path })).text).toContain('text')
  }
})
