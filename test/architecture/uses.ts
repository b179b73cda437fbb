import ts from 'typescript'
import { eventTable } from '../../src/core/event-table.ts'
import { sourceProgram } from './program.ts'
import { nodesOf, type SourceFile } from './source.ts'

/** The codes that a file throws: the first argument of a construction or of a call that throws for it, both ways of a choice. */
export function thrownCodes(file: SourceFile): string[] {
  return nodesOf(file.tree).flatMap((node) => {
    if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return []
    const code = node.arguments?.[0]
    if (code === undefined || ts.isFunctionLike(code)) return []
    const choices = ts.isConditionalExpression(code) ? [code.whenTrue, code.whenFalse] : [code]
    return choices.filter(ts.isStringLiteralLike).map(({ text }) => text)
  })
}

/** The types of events that files of `src` write: objects whose `type` is one, as the type checker sees it. */
export function writtenEvents(paths: readonly string[]): Set<string> {
  const program = sourceProgram()
  const checker = program.getTypeChecker()
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => paths.some((path) => fileName.endsWith(`/src/${path}`)))
  const values = files.flatMap(nodesOf).flatMap((node) => {
    if (!ts.isPropertyAssignment(node) || node.name.getText() !== 'type') return []
    const type = checker.getTypeAtLocation(node.initializer)
    return (type.isUnion() ? type.types : [type]).flatMap((each) =>
      each.isStringLiteral() ? [each.value] : [],
    )
  })
  return new Set(values.filter((value) => value in eventTable))
}

/** The members of an object of this name that a file reads, by a dot or by taking it apart. */
export function membersRead(file: SourceFile, name: string): string[] {
  return nodesOf(file.tree).flatMap((node) => {
    if (ts.isPropertyAccessExpression(node)) return node.expression.getText() === name ? [node.name.text] : []
    if (!ts.isVariableDeclaration(node) || node.initializer?.getText() !== name) return []
    return ts.isObjectBindingPattern(node.name)
      ? node.name.elements.map((each) => (each.propertyName ?? each.name).getText())
      : []
  })
}
