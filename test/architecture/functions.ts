import ts from 'typescript'
import { nodesOf, type SourceFile } from './source.ts'

/** A function with its length; closures count within it and for themselves. */
export interface MeasuredFunction {
  readonly path: string
  readonly line: number
  readonly lines: number
}

/** The functions of a file that have a body of statements, from their first line to their last. */
export function functionsOf(file: SourceFile): MeasuredFunction[] {
  return nodesOf(file.tree).flatMap((node) => {
    if (!ts.isFunctionLike(node) || !hasStatements(node)) return []
    const first = file.tree.getLineAndCharacterOfPosition(node.getStart()).line
    const last = file.tree.getLineAndCharacterOfPosition(node.getEnd()).line
    return [{ path: file.path, line: first + 1, lines: last - first + 1 }]
  })
}

function hasStatements(node: ts.SignatureDeclaration): boolean {
  const { body } = node as { body?: ts.Node }
  return body !== undefined && ts.isBlock(body)
}
