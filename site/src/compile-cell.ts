import { type Options, transform } from 'sucrase'
import { compiles } from './compiles.ts'
import { lastExpression } from './last-expression.ts'
import { withoutModuleStatements } from './module-statements.ts'
import type { CellConsole, Definitions } from './scope.ts'
import { type Token, tokensOf } from './tokens.ts'

/** What a compiled cell is run with. */
export interface CellParts {
  readonly scope: object
  readonly console: CellConsole
  readonly define: (definitions: Definitions) => void
  readonly importModule: (name: string) => Promise<object>
}

/** Runs a cell and gives the value of its last statement, where that is an expression. */
export type CompiledCell = (parts: CellParts) => Promise<unknown>

const typesOnly: Options = { transforms: ['typescript'], disableESTransforms: true, keepUnusedImports: true }

/** How many lines the engine and we put before the first line of a cell. */
const linesBefore = 2

/**
 * Makes a function of a cell's TypeScript. Types are taken out and not checked. Every name that the cell declares is
 * handed to `define` before anything runs, as a pair of functions, so that the cells below see what it is then and
 * not what it was once. Throws a SyntaxError.
 *
 * `new Function` is here on purpose: running what the reader wrote is what the page is for. It happens in a worker,
 * which has no document, no cookies and no storage of the page's, can be ended when it is stuck, and is the only place whose
 * content policy allows it. The code comes from the text area before the reader's eyes and from nowhere else.
 */
export function compileCell(source: string, name: string): CompiledCell {
  const { code: typeless } = transform(source, typesOnly)
  const code = withoutModuleStatements(typeless, tokensOf(typeless))
  const tokens = tokensOf(code)
  const names = new Set(tokens.filter(({ declares }) => declares).map(({ text }) => text))
  const pairs = [...names].map((each) => `${each}: [() => ${each}, ($value) => { ${each} = $value }]`)
  const text = `with ($scope) { return (async () => { "use strict"; $define({ ${pairs.join(', ')} }); ${returning(code, tokens)}
})() }
//# sourceURL=${name}`
  const run = new Function('$scope', 'console', '$define', '$import', text)
  return ({ scope, console, define, importModule }) => run(scope, console, define, importModule)
}

/** The code with a `return` before its last expression. */
function returning(code: string, tokens: readonly Token[]): string {
  const last = lastExpression(code, tokens)
  if (last !== undefined) return `${code.slice(0, last.start)}return (${code.slice(last.start, last.end)}\n)`
  if (!compiles(code)) throw syntaxError(code)
  return code
}

/** The engine's own words for what is wrong. */
function syntaxError(code: string): unknown {
  try {
    new Function(`return async () => { "use strict";\n${code}\n}`)
    return new SyntaxError('The cell cannot be read.')
  } catch (thrown) {
    return thrown
  }
}

/** The line of a cell in which an error arose, from 1; undefined when its stack does not say. */
export function lineOf(error: unknown, name: string): number | undefined {
  const stack = error instanceof Error ? String(error.stack) : ''
  const line = Number.parseInt(stack.split(`${name}:`)[1] ?? '', 10)
  return Number.isNaN(line) ? undefined : line - linesBefore
}
