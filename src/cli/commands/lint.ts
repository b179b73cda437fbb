import type { LintFinding, LintProvider } from '../../core/lint/finding.ts'
import { lintReport } from '../../core/lint/lint-report.ts'
import { lintProviders, lintTools } from '../../core/lint/lint-tools.ts'
import { isTool } from '../../core/tool/is-tool.ts'
import { isProviderTool } from '../../core/tool/provider-tool.ts'
import { type CommandOptions, placeOf } from '../command-options.ts'
import { mainTools } from '../main-agent.ts'
import { type FoundTool, toolsOfModule } from '../module-tools.ts'
import { inertText } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { UsageError } from '../usage-error.ts'

interface LintOptions extends CommandOptions {
  readonly provider?: readonly string[]
}

/**
 * Says what providers will refuse or ignore in tools, and what is sent instead: of the tools that a module
 * exports, alone, in agents or in lists and records of them, or of the folder agent's own. 1 when a provider that was asked about
 * would refuse something; strict mode, which is never sent, counts only when it is named.
 */
export async function lint(module: string | undefined, options: LintOptions): Promise<number> {
  const providers = chosen(options.provider)
  const { found, unseen } =
    module === undefined
      ? { found: mainTools(placeOf(options).folder).map((tool) => ({ tool, at: '' })), unseen: [] }
      : await toolsOfModule(module)
  const tools = found.map(({ tool }) => tool).filter(isTool)
  const ofProvider = found.flatMap(({ tool }) =>
    isProviderTool(tool) ? [{ name: tool.name, id: tool.id }] : [],
  )
  const specifications = tools.map(({ name, description, schema }) => ({
    name,
    description,
    jsonSchema: schema.jsonSchema,
  }))
  const findings = providers.flatMap((provider) => lintTools(specifications, provider))
  if (options.json === true) {
    const unchecked = {
      ...(ofProvider.length > 0 && { ofProvider }),
      ...(unseen.length > 0 && { unseen }),
    }
    const places =
      module === undefined ? {} : { places: found.map(({ tool: { name }, at }) => ({ name, at })) }
    writeJson({ tools: tools.map(({ name }) => name), ...places, ...unchecked, providers, findings })
  } else {
    process.stdout.write(`${lintReport(findings)}\n`)
    if (module !== undefined) process.stdout.write(inertText(`${lookedAt(found, unseen)}\n`))
    for (const { name, id } of ofProvider)
      process.stdout.write(`${name} runs at the model's provider (${id}): there is no schema to look at.\n`)
  }
  return findings.some((finding) => isRefusal(finding, options)) ? 1 : 0
}

/** How many tools there were and where: what is not named was not checked. */
function lookedAt(found: readonly FoundTool[], unseen: readonly string[]): string {
  const places = found.map(({ tool: { name }, at }) => (name === at ? name : `${name} (${at})`))
  const sentence = `Looked at ${found.length} tool${found.length === 1 ? '' : 's'}: ${places.join(', ')}.`
  return unseen.length === 0 ? sentence : `${sentence}\nNot looked into: ${unseen.join(', ')}.`
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
