import type { Explanation } from '../../agent/explain-call.ts'
import { explainDecision } from '../../core/policy/explain.ts'
import { isToolMode, type ToolMode, toolModes } from '../../core/policy/mode.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { withAgentAlone } from '../agents-here.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { jsonArgument } from '../json-argument.ts'
import { inertLine, visibleJson } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { schemaInShort } from '../terminal/schema-in-short.ts'
import { UsageError } from '../usage-error.ts'

export type ExplainOptions = AgentOptions & { readonly args: string; readonly mode?: string }

/** Says what would become of a call, and why. Nothing is run, and nothing is recorded. */
export async function explain(tool: string, options: ExplainOptions): Promise<number> {
  jsonArgument('--args', options.args)
  const place = placeOf(options)
  // The sessions of a folder's agent begin in the mode ask; another agent's begin as it says.
  const mode = options.mode ?? (place.module === undefined ? 'ask' : undefined)
  const judged = mode === undefined ? {} : { mode: modeOf(mode) }
  return await withAgentAlone(place, async (agent) => {
    const explanation = await agent.explain(tool, options.args, judged)
    const asksFor = agent.declaredTools.find(({ name }) => name === tool)?.yieldSchema
    if (options.json !== true) tell(explanation, asksFor?.jsonSchema)
    else if (explanation.fault === undefined) writeJson(explanation)
    else writeJson({ ...explanation, refused: 'invalid_arguments' })
    return 0
  })
}

function tell({ tool, args, fault, coerced, decision }: Explanation, asksFor: JsonSchema | undefined): void {
  const isAsking = fault === undefined && asksFor !== undefined && decision.verdict !== 'deny'
  const lines = [
    fault === undefined
      ? `${tool} ${args === undefined ? '' : visibleJson(args)}`
      : `${tool}: ${inertLine(fault)}`,
    ...coerced.map((each) => `  converted without loss: ${inertLine(JSON.stringify(each))}`),
    fault === undefined ? explainDecision(decision) : 'refused: invalid arguments',
    ...(isAsking ? [`then it stops and asks a person for ${schemaInShort(asksFor)}`] : []),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function modeOf(text: string): ToolMode {
  if (isToolMode(text)) return text
  throw new UsageError(`There is no mode "${text}"; the modes are ${toolModes.join(', ')}.`)
}
