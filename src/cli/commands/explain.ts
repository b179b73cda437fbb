import { explainDecision } from '../../core/policy/explain.ts'
import { isToolMode, type ToolMode, toolModes } from '../../core/policy/mode.ts'
import { memoryStore } from '../../stores/memory/memory-store.ts'
import { type CommandOptions, placeOf } from '../command-options.ts'
import { jsonArgument } from '../json-argument.ts'
import { mainAgent } from '../main-agent.ts'
import { silentModel } from '../silent-model.ts'
import { inertLine, visibleJson } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { UsageError } from '../usage-error.ts'

export type ExplainOptions = CommandOptions & { readonly args: string; readonly mode?: string }

/** Says what would become of a call, and why. Nothing is run, and nothing is recorded. */
export async function explain(tool: string, options: ExplainOptions): Promise<number> {
  jsonArgument('--args', options.args)
  const mode = modeOf(options.mode)
  const { folder } = placeOf(options)
  const agent = mainAgent({
    dir: folder.root,
    store: memoryStore(),
    model: silentModel(),
    approvals: () => ({ approved: false }),
  })
  const explanation = await agent.explain(tool, options.args, { mode })
  if (options.json === true) {
    writeJson(
      explanation.fault === undefined ? explanation : { ...explanation, refused: 'invalid_arguments' },
    )
    return 0
  }
  const { args, fault, coerced, decision } = explanation
  const lines = [
    fault === undefined
      ? `${tool} ${args === undefined ? '' : visibleJson(args)}`
      : `${tool}: ${inertLine(fault)}`,
    ...coerced.map((each) => `  converted without loss: ${inertLine(JSON.stringify(each))}`),
    fault === undefined ? explainDecision(decision) : 'refused: invalid arguments',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}

function modeOf(text = 'ask'): ToolMode {
  if (isToolMode(text)) return text
  throw new UsageError(`There is no mode "${text}"; the modes are ${toolModes.join(', ')}.`)
}
