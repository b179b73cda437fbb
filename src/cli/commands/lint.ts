import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ToolpostError } from '../../core/error.ts'
import type { LintFinding, LintProvider } from '../../core/lint/finding.ts'
import { lintReport } from '../../core/lint/lint-report.ts'
import { lintProviders, lintTools } from '../../core/lint/lint-tools.ts'
import { messageOf } from '../../core/message-of.ts'
import { isTool } from '../../core/tool/is-tool.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { type CommandOptions, placeOf } from '../command-options.ts'
import { mainTools } from '../main-agent.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { UsageError } from '../usage-error.ts'

interface LintOptions extends CommandOptions {
  readonly provider?: readonly string[]
}

/**
 * Says what providers will refuse or ignore in tools, and what is sent instead: of the tools that a module
 * exports, alone, in lists or in agents, or of the folder agent's own. 1 when a provider that was asked about
 * would refuse something; strict mode, which is never sent, counts only when it is named.
 */
export async function lint(module: string | undefined, options: LintOptions): Promise<number> {
  const providers = chosen(options.provider)
  const tools = module === undefined ? mainTools(placeOf(options).folder) : await toolsOf(module)
  const specifications = tools.map(({ name, description, schema }) => ({
    name,
    description,
    jsonSchema: schema.jsonSchema,
  }))
  const findings = providers.flatMap((provider) => lintTools(specifications, provider))
  if (options.json === true) writeJson({ tools: tools.map(({ name }) => name), providers, findings })
  else process.stdout.write(`${lintReport(findings)}\n`)
  return findings.some((finding) => isRefusal(finding, options)) ? 1 : 0
}

function chosen(named: readonly string[] | undefined): readonly LintProvider[] {
  const unknown = named?.find((name) => !(lintProviders as readonly string[]).includes(name))
  if (unknown !== undefined) {
    throw new UsageError(
      `There are no rules of a provider "${unknown}"; there are ${lintProviders.join(', ')}.`,
    )
  }
  return named === undefined ? lintProviders : (named as readonly LintProvider[])
}

function isRefusal({ effect, provider }: LintFinding, { provider: named }: LintOptions): boolean {
  return effect === 'refused' && (provider !== 'openai-strict' || named?.includes(provider) === true)
}

async function toolsOf(module: string): Promise<readonly Tool[]> {
  const exported = await load(module)
  const tools = Object.values(exported).flatMap(toolsIn)
  if (tools.length > 0) return tools
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The module "${module}" exports no tool, no list of tools and no agent.`,
  )
}

async function load(module: string): Promise<object> {
  try {
    return (await import(pathToFileURL(resolve(module)).href)) as object
  } catch (error) {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The module "${module}" cannot be loaded: ${messageOf(error)}`,
      { cause: error },
    )
  }
}

function toolsIn(value: unknown): Tool[] {
  if (Array.isArray(value)) return value.flatMap(toolsIn)
  if (typeof value !== 'object' || value === null) return []
  // An agent made by another copy of the package is one as well.
  if ('declaredTools' in value) return toolsIn(value.declaredTools)
  return isTool(value) ? [value] : []
}
