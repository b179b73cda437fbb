import { setTimeout as delay } from 'node:timers/promises'
import { ToolpostError } from '../core/error.ts'
import { isTool } from '../core/tool/is-tool.ts'
import { isProviderTool, type ProviderTool } from '../core/tool/provider-tool.ts'
import type { Tool } from '../core/tool/tool.ts'
import { loadModule } from './load-module.ts'

/** A tool and where it was found, as a path of exports: `desk`, `tools.search`, `list.0`. */
export interface FoundTool {
  readonly tool: Tool | ProviderTool
  readonly at: string
}

/** What a module exports in tools, and the exports that hold more than was looked through. */
export interface ModuleTools {
  readonly found: readonly FoundTool[]
  readonly unseen: readonly string[]
}

const depthMax = 6
const valuesMax = 10_000
const promiseMs = 2_000

/**
 * The tools that a module exports: alone, in agents, and in lists, records, sets, maps and promises of them, up to six
 * levels deep. Nothing is called. Errors: INVALID_ARGUMENT when the module cannot be loaded, or there are none.
 */
export async function toolsOfModule(module: string): Promise<ModuleTools> {
  const walk = new ExportWalk()
  for (const [name, value] of Object.entries(await loadModule(module))) await walk.look(value, name, 0)
  if (walk.found.length > 0) return walk
  const passed = walk.unseen.length === 0 ? '' : ` It was not looked into ${walk.unseen.join(', ')}.`
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The module "${module}" exports no tool and no agent, alone or in lists and records.${passed}`,
  )
}

class ExportWalk implements ModuleTools {
  readonly found: FoundTool[] = []
  readonly unseen: string[] = []
  private readonly seen = new Set<unknown>()

  async look(value: unknown, at: string, depth: number): Promise<void> {
    if (typeof value !== 'object' || value === null || this.seen.has(value)) return
    if (depth > depthMax || this.seen.size >= valuesMax) {
      this.unseen.push(at)
      return
    }
    this.seen.add(value)
    if (isTool(value) || isProviderTool(value)) this.found.push({ tool: value, at })
    else if (value instanceof Promise) await this.lookWhenSettled(value, at, depth)
    else for (const [key, member] of this.membersOf(value, at)) await this.look(member, key, depth + 1)
  }

  private async lookWhenSettled(promise: Promise<unknown>, at: string, depth: number): Promise<void> {
    const waiting = new AbortController()
    const late = delay(promiseMs, undefined, { signal: waiting.signal }).catch(() => undefined)
    try {
      const settled = await Promise.race([promise.then((value: unknown) => ({ value })), late])
      if (settled === undefined) this.unseen.push(at)
      else await this.look(settled.value, at, depth + 1)
    } catch {
      this.unseen.push(at)
    } finally {
      waiting.abort()
    }
  }

  private membersOf(value: object, at: string): (readonly [string, unknown])[] {
    try {
      return held(value).map(([key, member]) => [key === '' ? at : `${at}.${key}`, member])
    } catch {
      this.unseen.push(at)
      return []
    }
  }
}

function held(value: object): (readonly [string, unknown])[] {
  // An agent made by another copy of the package is one as well.
  if ('declaredTools' in value)
    return [
      ['', value.declaredTools],
      ['', 'providerTools' in value ? value.providerTools : []],
    ]
  if (value instanceof Map) return [...value].map(([key, member]) => [String(key), member])
  if (value instanceof Set) return [...value].map((member, place) => [String(place), member])
  return Array.isArray(value) || isRecord(value) ? Object.entries(value) : []
}

/** An object of a class is not looked into: it is no list of tools, and its members may do something. */
function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
