import ts from 'typescript'
import { nodesOf, type SourceFile, sourceFiles } from '../architecture/source.ts'

/** The files of these rooms of `src`. */
export function filesBelow(...rooms: readonly string[]): SourceFile[] {
  return sourceFiles().filter(({ path }) => rooms.some((room) => path.startsWith(`${room}/`)))
}

/**
 * Texts that are given to a name in these files: as a property (`code: 'x'`), or as the argument of a function's
 * parameter of that name. Constants stand for their texts, choices for both of theirs.
 */
export function textsGiven(name: string, files: readonly Pick<SourceFile, 'tree'>[]): string[] {
  const constants = new Map(files.flatMap(({ tree }) => nodesOf(tree).flatMap(constantText)))
  const given = files.flatMap(({ tree }) => expressionsGiven(name, nodesOf(tree)))
  return [...new Set(given.flatMap((expression) => textsOf(expression, constants)))].sort()
}

/** A function of a file is called in it only, as far as this is concerned: two files may have one of the same name. */
function expressionsGiven(name: string, nodes: readonly ts.Node[]): ts.Expression[] {
  const places = new Map(nodes.flatMap((node) => parameterPlace(node, name)))
  return nodes.flatMap((node) => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === name) return [node.initializer]
    if (!ts.isCallExpression(node)) return []
    const argument = node.arguments[places.get(node.expression.getText()) ?? -1]
    return argument === undefined ? [] : [argument]
  })
}

function constantText(node: ts.Node): [string, string][] {
  const isConstant =
    ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isStringLiteral(node.initializer)
  return isConstant ? [[node.name.getText(), (node.initializer as ts.StringLiteral).text]] : []
}

function parameterPlace(node: ts.Node, name: string): [string, number][] {
  if (!ts.isFunctionDeclaration(node) || node.name === undefined) return []
  const place = node.parameters.findIndex((parameter) => parameter.name.getText() === name)
  return place < 0 ? [] : [[node.name.text, place]]
}

function textsOf(expression: ts.Expression, constants: ReadonlyMap<string, string>): string[] {
  if (ts.isStringLiteral(expression)) return [expression.text]
  if (ts.isIdentifier(expression)) return [constants.get(expression.text) ?? []].flat()
  if (!ts.isConditionalExpression(expression)) return []
  return [...textsOf(expression.whenTrue, constants), ...textsOf(expression.whenFalse, constants)]
}

/** The texts in a type alias, such as the members of a union. */
export function textsInType(path: string, type: string): string[] {
  const file = sourceFiles().find((each) => each.path === path)!
  const alias = nodesOf(file.tree).find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === type)!
  return nodesOf(alias)
    .filter(ts.isStringLiteral)
    .map(({ text }) => text)
    .sort()
}

/** The files in which events are declared. */
const eventFiles: readonly string[] = ['core/event.ts', 'core/execution-event.ts']

/** The fields of an event's interface, those that it inherits included; optional ones with a question mark. */
export function fieldsOfEvent(type: string): string[] {
  const files = sourceFiles().filter(({ path }) => eventFiles.includes(path))
  const interfaces = files.flatMap(({ tree }) => nodesOf(tree)).filter(ts.isInterfaceDeclaration)
  const isType = (member: ts.TypeElement) => member.getText().includes(`type: '${type}'`)
  const own = interfaces.find(({ members }) => members.some(isType))!
  const bases = (own.heritageClauses ?? []).flatMap(({ types }) => types.map((base) => base.getText()))
  const all = [own, ...interfaces.filter(({ name }) => bases.includes(name.text))]
  const members = all.flatMap((each) => each.members).filter((member) => member.name?.getText() !== 'type')
  return members.map(({ name, questionToken }) => `${name?.getText()}${questionToken ? '?' : ''}`).sort()
}

/** Numbers given to the name of a bound, as `path name number`: `const depthMax = 64`, `const { depthMax = 64 } = given`. */
export function boundsIn({ path, tree }: Pick<SourceFile, 'path' | 'tree'>): string[] {
  return nodesOf(tree).flatMap((node) => {
    if (!ts.isVariableDeclaration(node) && !ts.isBindingElement(node)) return []
    const { name, initializer } = node
    if (initializer === undefined || !ts.isNumericLiteral(initializer)) return []
    const isBound = /(Max|Min|Ms|Ceiling|Least)$/.test(name.getText())
    return isBound ? [`${path} ${name.getText()} ${initializer.text}`] : []
  })
}
