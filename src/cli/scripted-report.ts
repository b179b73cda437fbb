import { amount, code, inline, number, plural, sentence, size, table, told } from './report-text.ts'
import { toldNumber } from './told-number.ts'

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
  /** How many files of the top level were listed, when there may be more of them. */
  readonly topLevelListed?: number
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
  const ends = openEnds === undefined ? '' : ` ${sentence(marked(openEnds))}.`
  const bytes = toldNumber(counted, 'bytes')
  const total = `${told(counted, 'files', 'file')}, ${told(counted, 'lines', 'line')}, ${bytes.isAtLeast ? 'at least ' : ''}${size(bytes.value)}`
  const first = firstFiles(facts)
  return `${sentence(total)}${first === undefined ? '' : `; only ${first} were counted`}.${ends}`
}

function marked(found: Result): string {
  const { value, isAtLeast } = toldNumber(found, 'matchingLines')
  if (value === 0 && isAtLeast) return 'no line marked TODO or FIXME among those that were searched'
  return `${told(found, 'matchingLines', 'line')} marked TODO or FIXME`
}

/** Which files the numbers are about, when it is not all of them. */
function firstFiles({ counted }: JobFacts): string | undefined {
  const { value, isAtLeast } = toldNumber(counted ?? {}, 'files')
  return isAtLeast ? `the first ${number(value)} files` : undefined
}

/** A heading for numbers of `count_lines`: of which files, when it is not all of them. */
function headingOf(text: string, facts: JobFacts): string {
  const first = firstFiles(facts)
  return first === undefined ? `## ${text}` : `## ${text} (of ${first})`
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
  const links = toldNumber(counted ?? {}, 'linksNotFollowed')
  const closed = toldNumber(counted ?? {}, 'unreadableFolders')
  return [
    ...(left === '' ? [] : [`Files counted without lines: ${left}.`]),
    ...(links.value === 0 ? [] : [`Links that were not followed: ${amount(links)}.`]),
    ...(closed.value === 0
      ? []
      : [`Folders that could not be read, so that nothing in them was counted: ${amount(closed)}.`]),
    ...(typeof note === 'string' ? [`> ${note}`] : []),
  ]
}

function types(facts: JobFacts): string[] {
  const { counted, files } = facts
  if (files === 0) return []
  const rows = rowsOf(counted?.byType).map((row) => [
    code(row.type),
    number(row.files),
    number(row.lines),
    size(row.bytes),
  ])
  return [headingOf('By type', facts), table(['type', 'files', 'lines', 'size'], rows)]
}

function largest(facts: JobFacts): string[] {
  const rows = rowsOf(facts.counted?.largest).map((row) => [
    code(row.path),
    number(row.lines),
    size(row.bytes),
  ])
  const heading = headingOf('The largest text files', facts)
  return rows.length === 0 ? [] : [heading, table(['file', 'lines', 'size'], rows)]
}

function folders(facts: JobFacts): string[] {
  const rows = rowsOf(facts.counted?.byFolder).map((row) => [
    code(row.folder),
    number(row.files),
    number(row.lines),
  ])
  const heading = headingOf('By folder', facts)
  return rows.length < 2 ? [] : [heading, table(['folder', 'files', 'lines'], rows)]
}

function comparison({ sources, tests, sourceCount, testCount }: JobFacts): string[] {
  if (sourceCount === undefined || testCount === undefined) return []
  const row = (name: string | undefined, count: Result) => [
    code(name),
    amount(toldNumber(count, 'files')),
    amount(toldNumber(count, 'lines')),
    mean(count),
  ]
  const [tested, written] = [toldNumber(testCount, 'lines'), toldNumber(sourceCount, 'lines')]
  const ratio = tested.value / written.value
  // Two lower bounds have no quotient.
  const isKnown = Number.isFinite(ratio) && !tested.isAtLeast && !written.isAtLeast
  const said = isKnown
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
    toldNumber(found, 'matchingLines').value > lines.length
      ? [`The first ${number(lines.length)} of them:`]
      : []
  const inFiles = lines.length === 0 ? '' : ` in ${told(found, 'matchingFiles', 'file')}`
  const where = `${sentence(marked(found))}${inFiles}; ${plural(found.searchedFiles, 'file')} searched.`
  const note = typeof found.note === 'string' ? [`> ${found.note}`] : []
  return ['## Open ends', where, ...note, ...shown, ...(lines.length === 0 ? [] : [lines.join('\n')])]
}

function readme({ files, readme: path, readmeText, topLevelListed }: JobFacts): string[] {
  if (files === 0) return []
  if (path === undefined) return ['## README', noReadme(topLevelListed)]
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

function noReadme(topLevelListed: number | undefined): string {
  if (topLevelListed === undefined) return 'There is no README at the top level.'
  return `There is no README among the first ${number(topLevelListed)} files of the top level; the others were not listed.`
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

function mean(count: Result): string {
  const lines = toldNumber(count, 'lines').value / toldNumber(count, 'files').value
  return Number.isFinite(lines) ? number(Math.round(lines)) : '0'
}
