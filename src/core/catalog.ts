import { ToolpostError } from './error.ts'
import { digestOf } from './json/digest.ts'
import { limits } from './limits.ts'
import type { Tool } from './tool/tool.ts'

/** The frozen set of tools that a run works with. The order does not depend on the order of registration. */
export interface Catalog {
  /** Digest of every tool's name and version: the catalog's own version. */
  readonly digest: string
  /** By name, ordered by UTF-16 code units. */
  readonly tools: readonly Tool[]
  /** The tool of exactly this name; inherited names such as `constructor` are names like any other. */
  find(name: string): Tool | undefined
}

/**
 * Freezes tools into a catalog.
 * Errors: DUPLICATE_TOOL and RESERVED_NAME name the tool; LIMIT_EXCEEDED above 10,000 tools.
 */
export function createCatalog(
  tools: readonly Tool[],
  options: { reserved?: readonly string[] } = {},
): Catalog {
  if (tools.length > limits.catalogToolsMax) {
    throw new ToolpostError(
      'LIMIT_EXCEEDED',
      `A catalog holds at most ${limits.catalogToolsMax} tools, not ${tools.length}.`,
    )
  }
  const byName = new Map<string, Tool>()
  for (const tool of tools) {
    if (options.reserved?.includes(tool.name)) {
      throw new ToolpostError('RESERVED_NAME', `The tool name "${tool.name}" is reserved; choose another.`)
    }
    if (byName.has(tool.name)) {
      throw new ToolpostError('DUPLICATE_TOOL', `Two tools are called "${tool.name}"; rename one of them.`)
    }
    byName.set(tool.name, tool)
  }
  const ordered = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  const digest = digestOf(ordered.map(({ name, version }) => [name, version]))
  return Object.freeze({ digest, tools: Object.freeze(ordered), find: (name: string) => byName.get(name) })
}
