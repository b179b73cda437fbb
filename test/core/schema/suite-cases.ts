import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonValue } from '../../../src/core/json/value.ts'
import type { Subschema } from '../../../src/core/schema/json-schema.ts'
import { compileWith } from '../../../src/core/schema/validator.ts'

const folder = join(import.meta.dirname, 'suite')

/** The dialects of the suite by the folder of their tests. */
export const suiteDialects = {
  draft7: 'http://json-schema.org/draft-07/schema',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const

export type SuiteDialect = keyof typeof suiteDialects

interface Group {
  readonly description: string
  readonly schema: Subschema
  readonly tests: readonly {
    readonly description: string
    readonly data: JsonValue
    readonly valid: boolean
  }[]
}

/** How many cases a file holds, and those that went wrong, each as a sentence. */
export interface SuiteOutcome {
  readonly cases: number
  readonly failed: readonly string[]
}

const documents = new Map([...metaSchemas(), ...remotes()])

export function suiteFiles(dialect: SuiteDialect): readonly string[] {
  return readdirSync(join(folder, dialect)).sort()
}

/** Runs a file's cases against our validator. */
export function runSuiteFile(dialect: SuiteDialect, file: string): SuiteOutcome {
  const groups = readJson(dialect, file) as readonly Group[]
  return {
    cases: groups.reduce((sum, group) => sum + group.tests.length, 0),
    failed: groups.flatMap((group) => failedOf(group, suiteDialects[dialect])),
  }
}

function failedOf({ description, schema, tests }: Group, dialectUri: string): string[] {
  return tests.flatMap((test) => {
    const verdict = verdictOf(schema, test.data, dialectUri)
    const right = test.valid ? 'valid' : 'invalid'
    return verdict === right
      ? []
      : [`${description}: ${test.description}: must be ${right}, but is ${verdict}`]
  })
}

function verdictOf(schema: Subschema, data: JsonValue, dialectUri: string): string {
  try {
    const faults = compileWith(schema, {}, { documents, dialectUri })(data)
    return faults.length === 0 ? 'valid' : 'invalid'
  } catch (thrown) {
    return `refused (${String(thrown)})`
  }
}

function metaSchemas(): [string, unknown][] {
  return jsonFiles('meta-schemas').map((path) => {
    const schema = readJson('meta-schemas', path) as { $id: string }
    return [schema.$id.replace(/#$/, ''), schema]
  })
}

function remotes(): [string, unknown][] {
  return jsonFiles('remotes').map((path) => [`http://localhost:1234/${path}`, readJson('remotes', path)])
}

function jsonFiles(within: string): string[] {
  const paths = readdirSync(join(folder, within), { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => path.endsWith('.json')).map((path) => path.replaceAll('\\', '/'))
}

function readJson(within: string, path: string): unknown {
  return JSON.parse(readFileSync(join(folder, within, path), 'utf8'))
}
