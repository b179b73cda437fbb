import { toolClasses } from '../class.ts'
import { decideTool, type ModeVerdict } from '../decide-tool.ts'
import type { PolicyFacts } from '../facts.ts'
import type { Base, LayerEntry } from '../layers.ts'
import { isToolMode, type ToolMode, toolModes } from '../mode.ts'

const verbs: Readonly<Record<ModeVerdict, string>> = { run: 'runs', ask: 'asks about', hidden: 'hides' }

/** What the mode does with the tool's class: the table of `decideTool`. What is reviewed it hides, or leaves to that. */
export function modeLayer(facts: PolicyFacts, base: Base): LayerEntry | undefined {
  if (facts.mode !== undefined && !isToolMode(facts.mode)) {
    return {
      layer: 'mode',
      verdict: 'deny',
      category: 'unknown',
      reason: "The session's mode is not known.",
    }
  }
  const entry = base.mode && entries[base.modeFrom][base.mode][base.toolClass]
  return facts.tool.review === undefined || entry?.verdict === 'deny' ? entry : leftToReview(base)
}

/** Whether a call of an application's tool is asked about is its review's to say. */
function leftToReview({ mode, modeFrom }: Base): LayerEntry | undefined {
  if (mode === undefined) return undefined
  const reason = `${origin(mode, modeFrom)}, which leaves this application's tool to its review.`
  return { layer: 'mode', modeMax: mode, category: 'mode', reason }
}

type Governed = Required<Pick<Base, 'modeFrom' | 'mode' | 'toolClass'>>

function entryOf(base: Governed): LayerEntry {
  const verdict = decideTool(base.mode, base.toolClass)
  return Object.freeze({
    layer: 'mode',
    verdict: verdict === 'hidden' ? 'deny' : verdict,
    modeMax: base.mode,
    category: 'mode',
    reason: `${origin(base.mode, base.modeFrom)}, which ${verbs[verdict]} ${base.toolClass} tools.`,
  })
}

function origin(mode: ToolMode, from: Base['modeFrom']): string {
  switch (from) {
    case 'session':
      return `The session's mode is ${mode}`
    case 'default':
      return `Nobody chose a mode, so it is ${mode}`
    case 'profile':
      return `The profile narrows the mode to ${mode}`
    case 'parent':
      return `The parent narrows the mode to ${mode}`
  }
}

function tableOf<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Readonly<Record<Key, Value>> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>
}

/** Every call is judged by one of these, three times over: they are written once. */
const entries = tableOf(['session', 'default', 'profile', 'parent'] as const, (modeFrom) =>
  tableOf(toolModes, (mode) => tableOf(toolClasses, (toolClass) => entryOf({ modeFrom, mode, toolClass }))),
)
