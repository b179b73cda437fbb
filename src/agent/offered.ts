import type { ToolSpecification } from '../core/driver.ts'
import type { EventOf } from '../core/event.ts'
import { isListed } from '../core/exposure.ts'
import { digestOf } from '../core/json/digest.ts'
import type { Tool } from '../core/tool/tool.ts'
import { judgeTool } from '../runtime/judge.ts'
import type { Task } from '../runtime/task.ts'
import { readResultName } from './read-result.ts'

/** The tools that the model is shown now, and the list as the log keeps it. */
export interface Offer {
  readonly tools: readonly ToolSpecification[]
  readonly digest: string
  readonly list: EventOf<'tools.offered'>['tools']
}

/** Judges every listed tool without arguments: what would be denied whatever the arguments is not shown. */
export function offerTools(task: Task): Offer {
  const tools: ToolSpecification[] = []
  const list: { name: string; verdict: 'run' | 'ask'; toolClass: Offer['list'][number]['toolClass'] }[] = []
  for (const tool of task.catalog.tools) {
    if (!isListed(tool.exposure) && !isNeeded(task, tool)) continue
    const { verdict, toolClass } = judgeTool(task, tool)
    if (verdict === 'deny') continue
    tools.push(specificationOf(tool))
    list.push({ name: tool.name, verdict, toolClass })
  }
  return { tools, digest: digestOf([task.catalog.digest, list]), list }
}

/** The tool that reads large results is shown as soon as the session has one. */
function isNeeded(task: Task, tool: Tool): boolean {
  return tool.name === readResultName && task.journal.state.spilled.size > 0
}

function specificationOf(tool: Tool): ToolSpecification {
  return { name: tool.name, description: tool.description, jsonSchema: tool.schema.jsonSchema }
}
