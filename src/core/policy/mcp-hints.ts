import type { ToolClass } from './class.ts'
import type { SourceFacts, ToolHints } from './facts.ts'

/**
 * The class that a server's hints stand for when nobody gave the tool a class. What a server leaves out
 * counts as the worse case, as the MCP specification (tool annotations) has it. No hint at all says nothing.
 */
export function classFromHints(hints: ToolHints): ToolClass | undefined {
  const { readOnly, destructive, openWorld } = hints
  if (!isClaim(readOnly) && !isClaim(destructive) && !isClaim(openWorld)) return undefined
  if (destructive === true) return 'destructive'
  if (readOnly === true) return openWorld === false ? 'read' : 'sensitive'
  if (destructive !== false) return 'destructive'
  return openWorld === false ? 'write' : 'external'
}

/**
 * The class that a server's hints admit to. Against a class that the developer gave, silence proves
 * nothing, so only what the server says outright can raise it.
 */
export function classAdmitted(hints: ToolHints): ToolClass | undefined {
  const { readOnly, destructive, openWorld } = hints
  if (destructive === true) return 'destructive'
  if (readOnly === false) return openWorld === true ? 'external' : 'write'
  return openWorld === true ? 'sensitive' : undefined
}

/** What a source's hints say of its tool's class; `declared` = the developer gave a class. */
export function classOfSource(source: SourceFacts, declared: boolean): ToolClass | undefined {
  if (source.hints === undefined) return undefined
  return declared ? classAdmitted(source.hints) : classFromHints(source.hints)
}

function isClaim(hint: unknown): boolean {
  return typeof hint === 'boolean'
}
