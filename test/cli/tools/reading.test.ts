import { chmodSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../fixture.ts'
import { callTool, resultOf } from './call-tool.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

test('read_file says which lines it shows, how many there are, and where to go on', async () => {
  using folder = testFolder({ 'a.txt': numbered(500) })
  const { text } = await callTool(folder.path, 'read_file', { path: './a.txt', fromLine: 2, lines: 2 })
  expect(text).toBe('a.txt, lines 2-3 of 500; go on with fromLine 4:\nline 2\nline 3')
  expect((await callTool(folder.path, 'read_file', { path: 'a.txt' })).text).toMatch(
    /^a\.txt, lines 1-200 of 500; go on/,
  )
  expect((await callTool(folder.path, 'read_file', { path: 'a.txt', fromLine: 900 })).text).toMatch(
    /no line 900; the file has 500 lines/,
  )
})

test('a last line without a line feed is a line, and an empty file has none', async () => {
  using folder = testFolder({ 'a.txt': 'one\r\ntwo', 'b.txt': '' })
  expect((await callTool(folder.path, 'read_file', { path: 'a.txt' })).text).toBe(
    'a.txt, lines 1-2 of 2:\none\ntwo',
  )
  expect((await callTool(folder.path, 'read_file', { path: 'b.txt' })).text).toBe('b.txt: the file is empty.')
})

test('a line without an end is cut, and characters stay whole', async () => {
  using folder = testFolder({ 'a.txt': `${'ä'.repeat(5_000)}\nend\n` })
  const { text } = await callTool(folder.path, 'read_file', { path: 'a.txt' })
  expect(text).toMatch(/^a\.txt, lines 1-2 of 2; long lines were cut:\nä{1900,2000}…\nend$/)
})

test('a result is bounded by its bytes and says where to go on', async () => {
  using folder = testFolder({ 'a.txt': `${'x'.repeat(999)}\n`.repeat(100) })
  const { text } = await callTool(folder.path, 'read_file', { path: 'a.txt' })
  expect(text).toMatch(/^a\.txt, lines 1-20 of 100; go on with fromLine 21:/)
})

test('a binary file and a folder are told as what they are', async () => {
  using folder = testFolder({ 'a.bin': new Uint8Array([1, 0, 2]), 'b/c.txt': 'x' })
  expect((await callTool(folder.path, 'read_file', { path: 'a.bin' })).text).toMatch(/binary file of 3 bytes/)
  expect((await callTool(folder.path, 'read_file', { path: 'b' })).text).toMatch(/is a folder; list_files/)
  expect((await callTool(folder.path, 'list_files', { path: 'b/c.txt' })).text).toMatch(
    /is a file; read_file/,
  )
})

test('a file of gigabytes is read at its beginning, counted by its bytes and passed over by a search', async () => {
  using folder = testFolder({ 'huge.txt': numbered(2_000) })
  truncateSync(join(folder.path, 'huge.txt'), 4_294_967_296)
  const { text } = await callTool(folder.path, 'read_file', { path: 'huge.txt', lines: 1 })
  expect(text).toBe('huge.txt, lines 1-1 of a file of 4294967296 bytes; go on with fromLine 2:\nline 1')
  const counted = await resultOf(folder.path, 'count_lines', {})
  expect(counted).toMatchObject({ files: 1, lines: 0, bytes: 4_294_967_296, filesWithoutLines: { large: 1 } })
  expect(await resultOf(folder.path, 'search_files', { text: 'line' })).toMatchObject({
    filesPassedOver: { large: 1 },
  })
})

test('list_files matches globs, shows the shallow ones first, and counts what it does not show', async () => {
  using folder = testFolder({ 'src/a.ts': '', 'src/deep/b.tsx': '', 'z.ts': '', 'a.md': '' })
  const paths = async (args: object) =>
    (await resultOf(folder.path, 'list_files', args)).files.map((file: { path: string }) => file.path)
  expect(await paths({})).toEqual(['a.md', 'z.ts', 'src/a.ts', 'src/deep/b.tsx'])
  expect(await paths({ pattern: '*.ts' })).toEqual(['z.ts', 'src/a.ts'])
  expect(await paths({ pattern: 'src/**/*.{ts,tsx}' })).toEqual(['src/a.ts', 'src/deep/b.tsx'])
  expect(await paths({ path: 'src', pattern: '?.ts' })).toEqual(['src/a.ts'])
  const cut = await resultOf(folder.path, 'list_files', { limit: 1 })
  expect(cut).toMatchObject({ matching: 4, shown: 1, note: expect.stringMatching(/More files match/) })
})

test('search_files finds plain texts and patterns, with places', async () => {
  using folder = testFolder({
    'a.ts': 'one\n  two (2)\n',
    'b.md': 'TWO\n',
    'c.bin': new Uint8Array([0, 116, 119, 111]),
  })
  expect(await resultOf(folder.path, 'search_files', { text: 'two (2)' })).toMatchObject({
    matchingLines: 1,
    matches: [{ path: 'a.ts', line: 2, text: 'two (2)' }],
    filesPassedOver: { binary: 1 },
  })
  expect(await resultOf(folder.path, 'search_files', { pattern: 'tw.', ignoreCase: true })).toMatchObject({
    matchingLines: 2,
    matchingFiles: 2,
  })
  expect(
    await resultOf(folder.path, 'search_files', { text: 'two', ignoreCase: true, except: '*.md' }),
  ).toMatchObject({ matchingLines: 1 })
  expect(await resultOf(folder.path, 'search_files', { text: 'two', glob: '*.md' })).toMatchObject({
    matchingLines: 0,
    searchedFiles: 1,
  })
})

test('search_files takes one of text and pattern, and patterns of RE2 only', async () => {
  using folder = testFolder({ 'a.txt': `${'a'.repeat(50_000)}!\n` })
  expect((await callTool(folder.path, 'search_files', {})).text).toMatch(/one of the two/)
  expect((await callTool(folder.path, 'search_files', { text: 'a', pattern: 'a' })).text).toMatch(
    /one of the two/,
  )
  expect((await callTool(folder.path, 'search_files', { pattern: '(a)\\1' })).text).toMatch(/no RE2 pattern/)
  // A backtracking engine would not come back from this one.
  expect(await resultOf(folder.path, 'search_files', { pattern: '^(a+)+$' })).toMatchObject({
    matchingLines: 0,
  })
})

test('count_lines adds up: the rows are the total', async () => {
  using folder = testFolder({ 'a.ts': '1\n2\n', 'src/b.ts': '1', 'src/c.md': '', LICENSE: 'x\n' })
  const counted = await resultOf(folder.path, 'count_lines', {})
  expect(counted).toMatchObject({ files: 4, lines: 4, bytes: 7 })
  for (const rows of [counted.byType, counted.byFolder]) {
    expect(rows.reduce((sum: number, row: { lines: number }) => sum + row.lines, 0)).toBe(4)
  }
  expect(counted.byFolder.map((row: { folder: string }) => row.folder)).toEqual(['(top level)', 'src/'])
  expect(counted.largest[0]).toEqual({ path: 'a.ts', lines: 2, bytes: 4 })
})

test('a file that cannot be read is counted as such', async () => {
  using folder = testFolder({ 'a.ts': '1\n', 'b.ts': '1\n' })
  chmodSync(join(folder.path, 'b.ts'), 0)
  const { filesWithoutLines, lines } = await resultOf(folder.path, 'count_lines', {})
  // The superuser reads it all the same.
  expect(filesWithoutLines.unreadable === 1 ? lines : lines - 1).toBe(1)
})

test('results of names and lines in other scripts stay whole too', async () => {
  const name = '\u4f60'.repeat(60)
  const files = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`${name}${index}.txt`, `${'\u597d'.repeat(300)}\n`]),
  )
  using folder = testFolder(files)
  const listed = await resultOf(folder.path, 'list_files', { limit: 500 })
  expect(listed).toMatchObject({ matching: 150, note: expect.stringMatching(/More files match/) })
  expect(listed.files.length).toBe(listed.shown)
  expect(listed.shown).toBeLessThan(150)
  const found = await resultOf(folder.path, 'search_files', { text: '\u597d', limit: 100 })
  expect(found).toMatchObject({ matchingLines: 150, shown: found.matches.length })
})
