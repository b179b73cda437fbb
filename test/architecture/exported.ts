import ts from 'typescript'
import type { SourceFile } from './source.ts'

/** What a door passes on, each list in the order of UTF-16 code units. */
export interface Exported {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

/** The names that a door passes on. A class stands among the values. */
export function exportedBy(door: SourceFile): Exported {
  const values: string[] = []
  const types: string[] = []
  for (const statement of door.tree.statements) {
    if (!ts.isExportDeclaration(statement)) throw new Error(`A door only passes on: ${statement.getText()}`)
    const { exportClause, isTypeOnly } = statement
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) continue
    for (const each of exportClause.elements)
      (isTypeOnly || each.isTypeOnly ? types : values).push(each.name.text)
  }
  return { values: values.sort(), types: types.sort() }
}
