/** A tool's result as an object. */
type Result = Readonly<Record<string, unknown>>

/** What the job's tools have told so far. */
export interface JobFacts {
  readonly files: number
  readonly counted?: Result
  /** The first level's folder of sources, and that of tests, with a `/` behind. */
  readonly sources?: string
  readonly tests?: string
  readonly sourceCount?: Result
  readonly testCount?: Result
  readonly readme?: string
  readonly readmeText?: string
  readonly manifest?: string
  readonly manifestText?: string
  readonly openEnds?: Result
  readonly calls: readonly { readonly name: string; readonly args: Result; readonly isError: boolean }[]
}

/** The job's findings in one or two sentences. */
export function headline(facts: JobFacts): string {
  const { counted, openEnds } = facts
  if (counted === undefined) return 'The files could not be counted.'
  if (facts.files === 0) return 'The folder holds no files.'
  const ends =
    openEnds === undefined ? '' : ` ${plural(openEnds.matchingLines, 'line')} marked TODO or FIXME.`
  return `${plural(counted.files, 'file')}, ${plural(counted.lines, 'line')}, ${size(counted.bytes)}.${ends}`
}

/** Composes the report. Every number in it stands in a result of a tool, or is the quotient of two that do. */
export function composeReport(facts: JobFacts): string {
  const sections = [
    ['# What is in this folder', headline(facts), ...bounds(facts)],
    types(facts),
    largest(facts),
    folders(facts),
    comparison(facts),
    openEnds(facts),
    readme(facts),
    manifest(facts),
    origin(facts),
  ]
  return `${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n\n'))
    .join('\n\n')}\n`
}

function bounds({ counted }: JobFacts): string[] {
  const without = (counted?.filesWithoutLines ?? {}) as Result
  const kinds = Object.entries(without).filter(([, count]) => Number(count) > 0)
  const note = counted?.note
  const left = kinds.map(([kind, count]) => `${number(count)} ${kind}`).join(', ')
  const links = Number(counted?.linksNotFollowed ?? 0)
  return [
    ...(left === '' ? [] : [`Files counted without lines: ${left}.`]),
    ...(links === 0 ? [] : [`Links that were not followed: ${number(links)}.`]),
    ...(typeof note === 'string' ? [`> ${note}`] : []),
  ]
}

function types({ counted, files }: JobFacts): string[] {
  if (files === 0) return []
  const rows = rowsOf(counted?.byType).map((row) => [
    code(row.type),
    number(row.files),
    number(row.lines),
    size(row.bytes),
  ])
  return ['## By type', table(['type', 'files', 'lines', 'size'], rows)]
}

function largest({ counted }: JobFacts): string[] {
  const rows = rowsOf(counted?.largest).map((row) => [code(row.path), number(row.lines), size(row.bytes)])
  return rows.length === 0 ? [] : ['## The largest text files', table(['file', 'lines', 'size'], rows)]
}

function folders({ counted }: JobFacts): string[] {
  const rows = rowsOf(counted?.byFolder).map((row) => [
    code(row.folder),
    number(row.files),
    number(row.lines),
  ])
  return rows.length < 2 ? [] : ['## By folder', table(['folder', 'files', 'lines'], rows)]
}

function comparison({ sources, tests, sourceCount, testCount }: JobFacts): string[] {
  if (sourceCount === undefined || testCount === undefined) return []
  const row = (name: string | undefined, count: Result) => [
    code(name),
    number(count.files),
    number(count.lines),
    mean(count),
  ]
  const ratio = Number(testCount.lines) / Number(sourceCount.lines)
  const said = Number.isFinite(ratio)
    ? [`For every 100 lines of source there are ${number(Math.round(ratio * 100))} lines of test.`]
    : []
  const rows = [row(sources, sourceCount), row(tests, testCount)]
  return ['## Tests and sources', table(['folder', 'files', 'lines', 'lines a file'], rows), ...said]
}

function openEnds({ openEnds: found, calls }: JobFacts): string[] {
  const isFailed = calls.some((call) => call.name === 'search_files' && call.isError)
  if (isFailed) return ['## Open ends', 'The files could not be searched.']
  if (found === undefined) return []
  const lines = rowsOf(found.matches).map(
    ({ path, line, text }) => `- ${code(`${path}:${line}`)} ${inline(text)}`,
  )
  const shown =
    Number(found.matchingLines) > lines.length ? [`The first ${number(lines.length)} of them:`] : []
  const where = `${plural(found.matchingLines, 'line')} marked TODO or FIXME in ${plural(found.matchingFiles, 'file')}; ${plural(found.searchedFiles, 'file')} searched.`
  return ['## Open ends', where, ...shown, ...(lines.length === 0 ? [] : [lines.join('\n')])]
}

function readme({ files, readme: path, readmeText }: JobFacts): string[] {
  if (files === 0) return []
  if (path === undefined) return ['## README', 'There is no README at the top level.']
  if (readmeText === undefined) return ['## README', `${code(path)} could not be read.`]
  const headings = readmeText.split('\n').filter((line) => /^#{1,3} \S/.test(line))
  const list = headings
    .slice(0, 30)
    .map((line) => `${'  '.repeat(line.indexOf(' ') - 1)}- ${inline(line.replace(/^#+ /, ''))}`)
  const count = headings.length === 0 ? 'No headings' : plural(headings.length, 'heading')
  return [
    '## README',
    `${count} in the part of ${code(path)} that was read.`,
    ...(list.length === 0 ? [] : [list.join('\n')]),
  ]
}

function manifest({ manifest: path, manifestText }: JobFacts): string[] {
  if (path === undefined || manifestText === undefined) return []
  const parsed = parseObject(manifestText.slice(manifestText.indexOf('\n') + 1))
  if (parsed === undefined) return ['## Package', `${code(path)} could not be read as JSON.`]
  const count = (key: string) => Object.keys((parsed[key] ?? {}) as object).length
  const name = `${code(parsed.name ?? 'without a name')}${parsed.version === undefined ? '' : ` ${inline(parsed.version)}`}`
  const sums = `${plural(count('dependencies'), 'dependency', 'dependencies')}, ${number(count('devDependencies'))} for development, ${plural(count('scripts'), 'script')}.`
  return ['## Package', `${name}: ${sums}`]
}

function origin({ calls }: JobFacts): string[] {
  const lines = calls.map(
    ({ name, args, isError }) => `- ${code(`${name} ${JSON.stringify(args)}`)}${isError ? ' (failed)' : ''}`,
  )
  return ['## Where the numbers come from', 'From the results of these calls:', lines.join('\n')]
}

function parseObject(text: string): Result | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Result) : undefined
  } catch {
    return undefined
  }
}

function rowsOf(value: unknown): readonly Result[] {
  return Array.isArray(value) ? value : []
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  )
}

/** A name from the disk as code: nothing in it is Markdown. */
function code(value: unknown): string {
  const text = String(value).replace(/\s/g, ' ')
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** A text from a file within a line: no table, link, image or tag comes of it. */
function inline(value: unknown): string {
  return String(value)
    .replace(/\s/g, ' ')
    .replace(/[\\`*_[\]<>|#!]/g, '\\$&')
}

function number(value: unknown): string {
  return Number(value ?? 0).toLocaleString('en')
}

function plural(value: unknown, one: string, many = `${one}s`): string {
  return `${number(value)} ${Number(value) === 1 ? one : many}`
}

function mean(count: Result): string {
  const lines = Number(count.lines) / Number(count.files)
  return Number.isFinite(lines) ? number(Math.round(lines)) : '0'
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

function size(value: unknown): string {
  let amount = Number(value ?? 0)
  let unit = 0
  for (; amount >= 1_024 && unit < units.length - 1; unit += 1) amount /= 1_024
  return `${number(Math.round(amount * 10) / 10)} ${units[unit]}`
}
