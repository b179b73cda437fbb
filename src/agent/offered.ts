import type { Catalog } from '../core/catalog.ts'
import type { ProviderToolSpecification, ToolSpecification } from '../core/driver.ts'
import type { EventOf } from '../core/event.ts'
import { isListed } from '../core/exposure.ts'
import { digestOf } from '../core/json/digest.ts'
import type { ProviderTool } from '../core/tool/provider-tool.ts'
import type { Tool } from '../core/tool/tool.ts'
import { judgeTool } from '../runtime/judge.ts'
import { judgeProviderTool } from '../runtime/judge-provider-tool.ts'
import type { Task } from '../runtime/task.ts'
import { readResultName } from './read-result.ts'

/** The tools that the model is shown now, and the list as the log keeps it. */
export interface Offer {
  readonly tools: readonly ToolSpecification[]
  /** Those that the provider runs. */
  readonly providerTools: readonly ProviderToolSpecification[]
  readonly digest: string
  readonly list: EventOf<'tools.offered'>['tools']
}

type Listed = Offer['list'][number]

/** The newest offer of each catalog: most steps offer what the step before them did. */
const newest = new WeakMap<Catalog, { readonly key: string; readonly offer: Offer }>()

/**
 * Judges every listed tool without arguments: what would be denied whatever the arguments is not shown. Of the tools
 * that the provider runs, only those are shown that may run unasked.
 */
export function offerTools(task: Task, ofProvider: readonly ProviderTool[] = []): Offer {
  const shown: Tool[] = []
  const list: Listed[] = []
  for (const tool of task.catalog.tools) {
    if (!isListed(tool.exposure) && !isNeeded(task, tool)) continue
    const { verdict, toolClass } = judgeTool(task, tool)
    if (verdict === 'deny') continue
    shown.push(tool)
    list.push({ name: tool.name, verdict, toolClass })
  }
  const providerTools = ofProvider.filter((tool) => {
    const { verdict, toolClass } = judgeProviderTool(task, tool)
    if (verdict === 'run') list.push({ name: tool.name, verdict, toolClass, provider: tool.id })
    return verdict === 'run'
  })
  return offerOf(task.catalog, { shown, providerTools, list })
}

interface Shown {
  readonly shown: readonly Tool[]
  readonly providerTools: readonly ProviderTool[]
  readonly list: readonly Listed[]
}

function offerOf(catalog: Catalog, { shown, providerTools, list }: Shown): Offer {
  const versions = providerTools.map(({ version }) => version)
  const key = [
    ...list.map(({ name, verdict, toolClass }) => `${name} ${verdict} ${toolClass}`),
    ...versions,
  ].join()
  const known = newest.get(catalog)
  if (known?.key === key) return known.offer
  const digest = digestOf([catalog.digest, list, ...versions])
  const offer: Offer = {
    tools: Object.freeze(shown.map(specificationOf)),
    providerTools: Object.freeze(
      providerTools.map(({ id, name, args }) => Object.freeze({ id, name, args })),
    ),
    digest,
    list,
  }
  newest.set(catalog, { key, offer })
  return offer
}

/** An offer with fewer tools: those of these names. */
export function shortenedOffer(offer: Offer, names: ReadonlySet<unknown>): Offer {
  const isKept = ({ name }: { readonly name: string }) => names.has(name)
  const list = offer.list.filter(isKept)
  if (list.length === offer.list.length) return offer
  const digest = digestOf([offer.digest, list.map(({ name }) => name)])
  const tools = offer.tools.filter(isKept)
  return { tools, providerTools: offer.providerTools.filter(isKept), digest, list }
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
