import type { Catalog } from '../core/catalog.ts'
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

/** The newest offer of each catalog: most steps offer what the step before them did. */
const newest = new WeakMap<Catalog, { readonly key: string; readonly offer: Offer }>()

/** Judges every listed tool without arguments: what would be denied whatever the arguments is not shown. */
export function offerTools(task: Task): Offer {
  const shown: Tool[] = []
  const list: { name: string; verdict: 'run' | 'ask'; toolClass: Offer['list'][number]['toolClass'] }[] = []
  for (const tool of task.catalog.tools) {
    if (!isListed(tool.exposure) && !isNeeded(task, tool)) continue
    const { verdict, toolClass } = judgeTool(task, tool)
    if (verdict === 'deny') continue
    shown.push(tool)
    list.push({ name: tool.name, verdict, toolClass })
  }
  const key = list.map(({ name, verdict, toolClass }) => `${name} ${verdict} ${toolClass}`).join()
  const known = newest.get(task.catalog)
  if (known?.key === key) return known.offer
  const digest = digestOf([task.catalog.digest, list])
  const offer = { tools: Object.freeze(shown.map(specificationOf)), digest, list }
  newest.set(task.catalog, { key, offer })
  return offer
}

/** The tool that reads large results is shown as soon as the session has one. */
function isNeeded(task: Task, tool: Tool): boolean {
  return tool.name === readResultName && task.journal.state.spilled.size > 0
}

function specificationOf(tool: Tool): ToolSpecification {
  return Object.freeze({
    name: tool.name,
    description: tool.description,
    jsonSchema: tool.schema.jsonSchema,
  })
}
