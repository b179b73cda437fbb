import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { nodesOf, parseSource, type SourceFile, sourceFiles } from './source.ts'

/** What a call calls, as it stands in the text without what is asked of it: `tool.executor.execute`. */
function calledIn(file: SourceFile): string[] {
  const calls = nodesOf(file.tree).filter(ts.isCallExpression)
  return calls.map(({ expression }) => expression.getText().replaceAll(/[?!\s]/g, ''))
}

/** The files that call something, outside of the folders where that something is made. */
function callers(called: RegExp, madeIn: readonly string[] = []): string[] {
  const files = sourceFiles().filter(({ path }) => !madeIn.some((folder) => path.startsWith(folder)))
  return files.filter((file) => calledIn(file).some((name) => called.test(name))).map(({ path }) => path)
}

/** Whether a node takes the executor out of a tool, by a dot or by taking it apart. */
function reachesExecutor(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'executor'
  return ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === 'executor'
}

describe('there is no second door', () => {
  test('one file lets executors execute', () => {
    expect(callers(/executor\.execute$/)).toEqual(['runtime/attempt.ts'])
  })

  test('only that file, the claim, the look for a lost outcome, checks and scripted tests know executors', () => {
    const knowing = sourceFiles().filter((file) => nodesOf(file.tree).some(reachesExecutor))
    expect(knowing.map(({ path }) => path)).toEqual([
      'core/tool/is-tool.ts',
      'runtime/attempt.ts',
      'runtime/recover.ts',
      'runtime/start.ts',
      'testing/scripted-catalog.ts',
    ])
  })

  test('only a claim is attempted: the start of a call and its recovery', () => {
    expect(callers(/^attempt$/, ['stores/'])).toEqual(['runtime/start.ts'])
    expect(callers(/^startedEvent$/)).toEqual(['runtime/start.ts'])
    expect(callers(/^entryEvents$/)).toEqual(['runtime/recover.ts', 'runtime/start.ts'])
  })

  test('one file judges calls; the others that ask the policy list tools', () => {
    expect(callers(/^evaluate$/, ['core/policy/'])).toEqual(['runtime/judge.ts'])
    expect(callers(/^evaluateOffer$/, ['core/policy/'])).toEqual([
      'agent/agent.ts',
      'runtime/judge-provider-tool.ts',
      'runtime/judge.ts',
    ])
  })

  test('one file appends to the log of a session, and one to the logs that sessions share', () => {
    expect(callers(/\.append$/, ['stores/', 'testing/', 'protocol/', 'server/', 'client/'])).toEqual([
      'runtime/journal.ts',
      'runtime/state/shared-values.ts',
    ])
  })

  test('one file folds the log into state', () => {
    expect(callers(/^fold$/)).toEqual(['runtime/journal.ts'])
  })

  test('a call is recognised on any path, optional or not', () => {
    const file = parseSource('x.ts', 'a.store.append(1)\ntool?.executor\n  .execute(call)\nfold(state)')
    expect(calledIn(file)).toEqual(['a.store.append', 'tool.executor.execute', 'fold'])
  })
})
