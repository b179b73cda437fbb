import type { DriverRequest } from '../core/driver.ts'
import type { ScriptStep } from '../models/script-step.ts'
import { type ScriptedModel, scriptedModel } from '../models/scripted.ts'
import { type JobResult, jobResults, resultObject } from './job-results.ts'
import { plural } from './report-text.ts'
import { composeReport, headline, type JobFacts } from './scripted-report.ts'
import { toldNumber } from './told-number.ts'

/** What the job is about, as a person would ask for it. */
export const defaultRequest =
  'Look over this folder: count its files and lines, compare tests with sources, find open ends, and write a short report in Markdown.'

/** What the scripted model calls itself in the log. */
export const scriptedModelName = 'scripted/model'

/**
 * A model that plays a fixed job on a folder: look, read, compare, write a report. What it says next follows from
 * the conversation alone, so another process goes on where one was killed; the numbers in its report are the
 * numbers in its tools' results.
 */
export function scriptedJob(): ScriptedModel {
  return scriptedModel((request) => nextStep(request), { fromHistory: true })
}

const reportPath = './toolpost-report'
/** As people write them: the word, then a colon or a name in parentheses. */
const openEndPattern = '\\b(TODO|FIXME)\\b\\s*[:(]'
const sourceFolders = ['src/', 'lib/', 'app/', 'packages/', 'source/']
const testFolders = ['test/', 'tests/', 'spec/', '__tests__/', 'e2e/']

function nextStep({ messages }: DriverRequest): ScriptStep {
  const results = jobResults(messages)
  const facts = factsOf(results)
  const done = (name: string) => results.some((result) => result.name === name)
  if (!done('count_lines')) return overview
  const written = results.findLast((result) => result.name === 'write_report')
  if (written !== undefined) return lastWords(written, facts)
  if (facts.files > 0 && !done('search_files')) return closerLook(facts)
  const compared = results.some((result) => result.name === 'count_lines' && result.args.path !== undefined)
  if (facts.sources !== undefined && facts.tests !== undefined && !compared)
    return comparison(facts.sources, facts.tests)
  return report(facts)
}

const overview: ScriptStep = {
  text: 'First I look at what there is: which files, and how many lines.',
  calls: [
    { name: 'list_files', args: { limit: 300 } },
    { name: 'count_lines', args: {} },
  ],
}

function closerLook({ readme, manifest }: JobFacts): ScriptStep {
  const read = [readme, manifest].filter((path) => path !== undefined)
  return {
    text: `Now a closer look: ${[...read, 'open ends'].join(', ')}.`,
    calls: [
      ...read.map((path) => ({ name: 'read_file', args: { path, lines: 400 } })),
      { name: 'search_files', args: { pattern: openEndPattern, except: 'toolpost-report.md', limit: 20 } },
    ],
  }
}

function comparison(sources: string, tests: string): ScriptStep {
  return {
    text: `There are sources in ${sources} and tests in ${tests}; I count both to compare them.`,
    calls: [sources, tests].map((path) => ({ name: 'count_lines', args: { path: path.replace(/\/$/, '') } })),
  }
}

function report(facts: JobFacts): ScriptStep {
  return {
    text: `I have what I need. ${headline(facts)} I propose to write it down.`,
    calls: [{ name: 'write_report', args: { path: reportPath, markdown: composeReport(facts) } }],
  }
}

function lastWords(written: JobResult, facts: JobFacts): ScriptStep {
  if (written.isError) {
    return `No report was written. I was told: ${written.text.replace(/^Error: /, '')}\nWhat I found, in short: ${headline(facts)}`
  }
  const { path, lines } = resultObject([written], 'write_report') ?? {}
  const size = typeof lines === 'number' ? ` (${plural(lines, 'line')})` : ''
  return `The report is in ${String(path ?? 'the file that was chosen')}${size}. ${headline(facts)}`
}

function factsOf(results: readonly JobResult[]): JobFacts {
  const counted = resultObject(results, 'count_lines', (args) => args.path === undefined)
  const listed = resultObject(results, 'list_files')
  const paths = rowsOf(listed?.files).map((file) => String(file.path))
  const folders = rowsOf(counted?.byFolder).map((row) => String(row.folder))
  const sources = sourceFolders.find((name) => folders.includes(name))
  const tests = testFolders.find((name) => folders.includes(name))
  const textOf = (path: string | undefined) =>
    results.find((each) => each.name === 'read_file' && !each.isError && each.args.path === path)?.text
  const readme = paths.find((path) => /^readme(\.(md|markdown|txt|rst))?$/i.test(path))
  const manifest = paths.find((path) => path === 'package.json')
  return {
    files: toldNumber(counted ?? {}, 'files').value,
    ...defined({ counted, sources, tests, readme, manifest, topLevelListed: topLevelListed(listed, paths) }),
    ...defined({ readmeText: textOf(readme), manifestText: textOf(manifest) }),
    ...defined({
      openEnds: resultObject(results, 'search_files'),
      sourceCount: resultObject(
        results,
        'count_lines',
        (args) => args.path !== undefined && `${args.path}/` === sources,
      ),
      testCount: resultObject(
        results,
        'count_lines',
        (args) => args.path !== undefined && `${args.path}/` === tests,
      ),
    }),
    calls: results.map(({ name, args, isError }) => ({ name, args, isError })),
  }
}

/** Shallow files are listed first: the top level is whole once a deeper file, or every file, is listed. */
function topLevelListed(listed: JobResult['args'] | undefined, paths: readonly string[]): number | undefined {
  if (listed === undefined) return 0
  const { value, isAtLeast } = toldNumber(listed, 'matching')
  const isWhole = paths.some((path) => path.includes('/')) || (!isAtLeast && value === paths.length)
  return isWhole ? undefined : paths.length
}

type Defined<Values> = { readonly [Key in keyof Values]?: Exclude<Values[Key], undefined> }

function defined<Values extends object>(values: Values): Defined<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<Values>
}

/** The rows of a table in a result. */
function rowsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value : []
}
