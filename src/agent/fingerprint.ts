import { type Fingerprint, isSameFingerprint, type ToolPart, toolParts } from '../core/fingerprint.ts'
import { digestOf } from '../core/json/digest.ts'
import { limits } from '../core/limits.ts'
import type { Tool } from '../core/tool/tool.ts'
import type { Definition } from './definition.ts'

/** A definition never changes, and the runs of one are many. */
const known = new WeakMap<Definition, Fingerprint>()

/** What an agent is made of: its name, its instructions, the schema of its output, and the versions of the tools that were declared. */
export function fingerprintOf(definition: Definition): Fingerprint {
  const before = known.get(definition)
  if (before !== undefined) return before
  const { name: agent, instructions, output, catalog, providerTools } = definition
  const own = catalog.tools.filter(({ source }) => source.kind !== 'runtime')
  const versions = [...own, ...providerTools].map(({ name, version }) => [name, version] as const)
  const made: Fingerprint = Object.freeze({
    agent,
    ...(instructions === undefined ? {} : { instructions: digestOf(instructions) }),
    ...(output === undefined ? {} : { output: digestOf(output.schema.jsonSchema) }),
    catalog: digestOf(versions),
    ...(versions.length > limits.fingerprintToolsMax ? {} : namedTools(versions, own)),
  })
  known.set(definition, made)
  return made
}

function namedTools(
  versions: readonly (readonly [string, string])[],
  own: readonly Tool[],
): Pick<Fingerprint, 'tools' | 'parts'> {
  const tools = Object.fromEntries(versions)
  if (own.length === 0) return { tools }
  return { tools, parts: Object.fromEntries(own.map((tool) => [tool.name, partsOf(tool)])) }
}

const partsOfTools = new WeakMap<Tool, string>()
/** Characters of each digest: they only tell which part of a tool made its version another one. */
const shortDigest = 8

function partsOf(tool: Tool): string {
  const before = partsOfTools.get(tool)
  if (before !== undefined) return before
  const { description, schema, toolClass, classOf, yieldSchema } = tool
  const values: Readonly<Record<ToolPart, unknown>> = {
    description,
    arguments: schema.jsonSchema,
    class: classOf === undefined ? (toolClass ?? null) : 'by arguments',
    answer: yieldSchema?.jsonSchema ?? null,
  }
  const parts = toolParts.map((part) => digestOf(values[part]).slice(-shortDigest)).join('.')
  partsOfTools.set(tool, parts)
  return parts
}

/** The fingerprint for the start of a run, when the session's log does not say it already. */
export function newFingerprint(
  definition: Definition,
  last: Fingerprint | undefined,
): { readonly fingerprint?: Fingerprint } {
  const fingerprint = fingerprintOf(definition)
  return last !== undefined && isSameFingerprint(last, fingerprint) ? {} : { fingerprint }
}
