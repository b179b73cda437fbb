import { isToolClass, stricterClass, type ToolClass } from './class.ts'
import { contractEntry } from './contract.ts'
import type { PolicyFacts, ToolFacts } from './facts.ts'
import type { Base } from './layers.ts'
import { classOfSource } from './mcp-hints.ts'
import { defaultToolMode, isToolMode, narrowerMode } from './mode.ts'

/** Under which class and mode a call is judged: the strictest class given, and the narrowest mode allowed. */
export function baseOf(facts: PolicyFacts): Base {
  const given = givenClass(facts)
  if (given === undefined && isUngoverned(facts)) {
    return { toolClass: 'destructive', classGiven: false, modeFrom: 'default' }
  }
  return effectiveMode(facts, given ?? 'destructive', given !== undefined)
}

/** The class that the developer gave, judged by the arguments where it depends on them. */
export function declaredClass(tool: ToolFacts, hasCall: boolean): ToolClass | undefined {
  const declared = readClass(tool.declaredClass)
  if (tool.callClass !== undefined || tool.classByArguments !== true) {
    return stricter(declared, readClass(tool.callClass))
  }
  return stricter(declared, hasCall ? 'destructive' : 'read')
}

/** Whether nothing was ever set up that would decide about a developer's own functions. */
function isUngoverned(facts: PolicyFacts): boolean {
  const set = facts.contract ?? facts.profile ?? facts.mode ?? facts.parent?.modeMax
  return facts.governed === false && facts.tool.developer === true && set === undefined
}

function givenClass(facts: PolicyFacts): ToolClass | undefined {
  const { tool, contract } = facts
  const declared = declaredClass(tool, facts.call !== undefined)
  const listed = contract && contractEntry(contract, tool.name)
  const given = stricter(declared, listed && readClass(listed.toolClass))
  const hinted = classOfSource(tool.source, declared !== undefined)
  // The word of an untrusted server may raise a class, but cannot be the only one there is.
  if (given === undefined && tool.source.trusted !== true) return undefined
  return stricter(given, hinted)
}

function effectiveMode(facts: PolicyFacts, toolClass: ToolClass, classGiven: boolean): Base {
  let modeFrom: Base['modeFrom'] = isToolMode(facts.mode) ? 'session' : 'default'
  let mode = isToolMode(facts.mode) ? facts.mode : defaultToolMode
  for (const limiter of ['profile', 'parent'] as const) {
    const modeMax = facts[limiter]?.modeMax
    if (!isToolMode(modeMax) || narrowerMode(mode, modeMax) === mode) continue
    mode = modeMax
    modeFrom = limiter
  }
  return { toolClass, classGiven, mode, modeFrom }
}

/** A class that is not known counts as the strictest; the layer that gave it also refuses. */
function readClass(value: unknown): ToolClass | undefined {
  if (value === undefined) return undefined
  return isToolClass(value) ? value : 'destructive'
}

function stricter(a: ToolClass | undefined, b: ToolClass | undefined): ToolClass | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return stricterClass(a, b)
}
