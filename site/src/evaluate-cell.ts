import { compileCell, lineOf } from './compile-cell.ts'
import { formatError, formatValue } from './format-value.ts'
import type { Shown } from './message.ts'
import type { CellConsole, Scope } from './scope.ts'

/** A cell that is to be run. */
export interface Evaluation {
  readonly cell: number
  readonly code: string
  readonly scope: Scope
  readonly importModule: (name: string) => Promise<object>
  readonly show: (shown: Shown) => void
}

/** Runs a cell in the scope, tells what it shows, and gives whether it came to its end without an error. */
export async function evaluateCell({ cell, code, scope, importModule, show }: Evaluation): Promise<boolean> {
  const name = `cell-${cell}.ts`
  scope.forgetFrom(cell)
  try {
    const value = await compileCell(
      code,
      name,
    )({
      scope: scope.names,
      console: cellConsole(show),
      define: (definitions) => scope.define(cell, definitions),
      importModule,
    })
    if (value !== undefined) show({ kind: 'value', text: formatValue(value) })
    return true
  } catch (thrown) {
    const line = lineOf(thrown, name)
    show({ kind: 'error', text: `${formatError(thrown)}${line === undefined ? '' : ` (line ${line})`}` })
    return false
  }
}

function cellConsole(show: Evaluation['show']): CellConsole {
  const writer =
    (kind: Shown['kind']) =>
    (...values: unknown[]) => {
      const texts = values.map((value) => (typeof value === 'string' ? value : formatValue(value)))
      show({ kind, text: texts.join(' ') })
    }
  const log = writer('log')
  return { log, info: log, debug: log, warn: writer('warn'), error: writer('error') }
}
