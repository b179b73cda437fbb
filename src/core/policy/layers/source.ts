import { declaredClass } from '../base.ts'
import { compareClass } from '../class.ts'
import type { PolicyFacts } from '../facts.ts'
import type { Base, LayerEntry } from '../layers.ts'
import { classOfSource } from '../mcp-hints.ts'

/** What the tool's source says of it. A trusted one may give a class; an untrusted one can only raise it. */
export function sourceLayer(facts: PolicyFacts, base: Base): LayerEntry | undefined {
  const { source } = facts.tool
  if (source.hints === undefined || !base.classGiven) return undefined
  const declared = declaredClass(facts.tool, facts.call !== undefined)
  const toolClass = classOfSource(source, declared !== undefined)
  if (toolClass === undefined) return undefined
  if (declared !== undefined && compareClass(toolClass, declared) <= 0) return undefined
  return {
    layer: 'source',
    toolClass,
    category: 'unknown',
    reason: `The ${source.trusted === true ? 'trusted' : 'untrusted'} source hints that the tool is ${toolClass}.`,
  }
}
