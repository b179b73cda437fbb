import type { PolicyFacts, SourceFacts, ToolFacts } from '../../../src/core/policy/facts.ts'

const ownFunction: SourceFacts = { kind: 'function', trusted: true }

/** Facts about a governed function tool named `look`, with what the test changes. */
export function factsOf(tool: Partial<ToolFacts>, rest: Partial<PolicyFacts> = {}): PolicyFacts {
  return {
    governed: true,
    ...rest,
    tool: { name: 'look', version: 'v1', source: ownFunction, developer: true, ...tool },
  }
}

/** The facts of a call with these arguments. */
export function callOf(args: NonNullable<PolicyFacts['call']>['args']): Pick<PolicyFacts, 'call'> {
  return { call: { args, digest: 'digest' } }
}
