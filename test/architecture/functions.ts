import ts from 'typescript'
import { nodesOf, type SourceFile } from './source.ts'

/** A function with its length; closures count within it and for themselves. */
export interface MeasuredFunction {
  readonly path: string
  readonly line: number
  readonly lines: number
}

/**
 * The functions of a file that have a body of statements, from their first line to their last. A body that only
 * lists tests, as in a suite, is a list and no function: its tests are measured.
 */
export function functionsOf(file: SourceFile): MeasuredFunction[] {
  return nodesOf(file.tree).flatMap((node) => {
    const body = ts.isFunctionLike(node) ? (node as { body?: ts.Node }).body : undefined
    if (body === undefined || !ts.isBlock(body) || listsTests(body)) return []
    const first = file.tree.getLineAndCharacterOfPosition(node.getStart()).line
    const last = file.tree.getLineAndCharacterOfPosition(node.getEnd()).line
    return [{ path: file.path, line: first + 1, lines: last - first + 1 }]
  })
}

function listsTests({ statements }: ts.Block): boolean {
  return statements.length > 0 && statements.every(isTest)
}

function isTest(statement: ts.Statement): boolean {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return false
  return statement.expression.expression.getText() === 'test'
}
