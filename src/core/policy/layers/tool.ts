import { declaredClass } from '../base.ts'
import { isToolClass } from '../class.ts'
import type { PolicyFacts, ToolFacts } from '../facts.ts'
import type { Base, LayerEntry } from '../layers.ts'

/** What the tool's developer said: its class, how long an approval may last, whether it always asks. */
export function toolLayer(facts: PolicyFacts, base: Base): LayerEntry | undefined {
  const { tool } = facts
  if (!isClassKnown(tool)) {
    return {
      layer: 'tool',
      verdict: 'deny',
      category: 'unknown',
      reason: 'The tool has a class that is not known.',
    }
  }
  const toolClass =
    declaredClass(tool, facts.call !== undefined) ?? (base.classGiven ? undefined : 'destructive')
  const verdict = verdictOf(tool, base)
  if (toolClass === undefined && verdict === undefined && tool.remember === undefined) return undefined
  return {
    layer: 'tool',
    category: 'unknown',
    reason: sentence(facts, base, toolClass),
    ...(verdict && { verdict }),
    ...(toolClass && { toolClass }),
    ...(tool.remember && { qualities: { remember: tool.remember } }),
  }
}

function verdictOf({ ask, review }: ToolFacts, { mode }: Base): 'run' | 'ask' | undefined {
  if (ask === true || review === 'ask') return 'ask'
  return review === 'run' || mode === undefined ? 'run' : undefined
}

function sentence(facts: PolicyFacts, base: Base, toolClass: string | undefined): string {
  if (facts.tool.ask === true) return 'The tool itself wants a person to be asked in every mode.'
  if (facts.tool.review === 'ask') return "A person reviews the calls of this application's tool."
  if (facts.tool.review === 'run') return "Calls of this application's tool run without a review."
  if (base.mode === undefined) return "Nothing governs this agent, so its developer's own functions run."
  if (!base.classGiven) return 'Nobody gave the tool a class, so it counts as destructive.'
  if (toolClass === undefined) return `The tool lets an approval last for: ${facts.tool.remember}.`
  const byArguments = facts.tool.callClass !== undefined || facts.tool.classByArguments === true
  return `The tool's class is ${toolClass}${byArguments && facts.call ? ' with these arguments' : ''}.`
}

function isClassKnown(tool: ToolFacts): boolean {
  return (
    (tool.declaredClass === undefined || isToolClass(tool.declaredClass)) &&
    (tool.callClass === undefined || isToolClass(tool.callClass))
  )
}
