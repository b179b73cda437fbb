import type { ToolSpecification } from '../driver.ts'
import { isToolpostError, ToolpostError } from '../error.ts'
import { named } from '../json/named.ts'
import { isJsonObject, type JsonValue } from '../json/value.ts'
import { checkOptions } from '../known-keys.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { below } from '../schema/refusal.ts'
import { anthropicFindings } from './anthropic-rules.ts'
import type { LintFinding, LintProvider, SchemaFinding } from './finding.ts'
import { geminiFindings } from './gemini-rules.ts'
import { openaiFindings } from './openai-rules.ts'
import { openaiStrictFindings } from './openai-strict-rules.ts'
import { isMemberOfObjects, type ProviderNames, providerNames } from './provider-names.ts'
import { sentSchema } from './sent-schema.ts'

/** The providers whose rules are known, in the order of a report. */
export const lintProviders: readonly LintProvider[] = ['openai', 'openai-strict', 'anthropic', 'gemini']

const rules: Record<LintProvider, (schema: JsonSchema) => readonly SchemaFinding[]> = {
  openai: openaiFindings,
  'openai-strict': openaiStrictFindings,
  anthropic: anthropicFindings,
  gemini: geminiFindings,
}

/** OpenAI's reference: the most tools of one request. */
const openaiToolsMax = 128

/** OpenAI's reference: the most characters of a tool's description. */
const openaiDescriptionMax = 1_024

type ToolFinding = Omit<LintFinding, 'provider'>

/**
 * What a provider will refuse or ignore in tools as the AI SDK driver sends them, and what is sent in place of
 * what. The rules are those that the providers document or answer with; where they say nothing or contradict
 * themselves, nothing is said here either. Errors: INVALID_ARGUMENT for a provider that is none of them.
 */
export function lintTools(
  tools: readonly ToolSpecification[],
  provider: LintProvider,
): readonly LintFinding[] {
  check(tools, provider)
  const findings = [
    ...tooMany(tools, provider),
    ...changedNames(tools),
    ...longDescriptions(tools, provider),
    ...tools.flatMap((tool) => schemaFindings(tool, provider)),
  ]
  return findings.map((finding) => ({ provider, ...finding }))
}

function check(tools: unknown, provider: unknown): void {
  if (!Array.isArray(tools)) refuse('lintTools() takes a list of tools.')
  for (const [index, tool] of tools.entries())
    checkOptions(tool, ['name', 'description', 'jsonSchema'], `The tool ${index + 1} of lintTools()`)
  if (!(lintProviders as readonly unknown[]).includes(provider))
    refuse(`lintTools() knows no provider ${named(provider)}; there are ${lintProviders.join(', ')}.`)
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}

function tooMany(tools: readonly ToolSpecification[], provider: LintProvider): ToolFinding[] {
  const first = provider.startsWith('openai') ? tools[openaiToolsMax] : undefined
  if (first === undefined) return []
  const says = `OpenAI takes at most ${openaiToolsMax} tools in a request and refuses these ${tools.length}; show fewer, or keep some deferred.`
  return [{ tool: first.name, pointer: '', effect: 'refused', says }]
}

function longDescriptions(tools: readonly ToolSpecification[], provider: LintProvider): ToolFinding[] {
  if (!provider.startsWith('openai')) return []
  const long = tools.filter(({ description }) => [...description].length > openaiDescriptionMax)
  return long.map(({ name, description }) => ({
    tool: name,
    pointer: '/description',
    effect: 'ignored',
    says: `OpenAI's reference bounds a description at 1,024 characters, and this one has ${[...description].length}; it is sent as it is, and some models of OpenAI refuse it, so shorten it.`,
  }))
}

function changedNames(tools: readonly ToolSpecification[]): ToolFinding[] {
  const names = namesOf(tools)
  if (typeof names === 'string') {
    return [{ tool: tools[0]!.name, pointer: '/name', effect: 'refused', says: names }]
  }
  return tools.flatMap(({ name }): ToolFinding[] => {
    const sentInstead = names.toModel(name)
    if (sentInstead === name) return []
    const why = isMemberOfObjects(name)
      ? "Every JavaScript object has a member of this name, and providers' packages fail on a tool that is called so"
      : 'A name is sent with at most 64 ASCII letters, digits, "_" and "-", the first a letter or "_"'
    const says = `${why}, so the model sees ${JSON.stringify(sentInstead)} and its calls come back to this tool.`
    return [{ tool: name, pointer: '/name', effect: 'changed', says, sentInstead }]
  })
}

/** The names, or why there are none. */
function namesOf(tools: readonly ToolSpecification[]): ProviderNames | string {
  try {
    return providerNames(tools.map(({ name }) => name))
  } catch (thrown) {
    if (isToolpostError(thrown)) return thrown.message
    throw thrown
  }
}

function schemaFindings({ name, jsonSchema }: ToolSpecification, provider: LintProvider): ToolFinding[] {
  const sent = sentSchema(jsonSchema)
  const found = [...addedAtRoot(jsonSchema, sent), ...bigNumbers(jsonSchema, ''), ...rules[provider](sent)]
  return found.map((finding) => ({ tool: name, ...finding, pointer: `/jsonSchema${finding.pointer}` }))
}

function addedAtRoot(schema: JsonSchema, sent: JsonSchema): SchemaFinding[] {
  const added = Object.keys(sent).filter((keyword) => !Object.hasOwn(schema, keyword))
  return added.map((keyword) => ({
    pointer: below('', keyword),
    keyword,
    effect: 'changed',
    says: `The root names no "${keyword}", without which some providers refuse a tool, so ${JSON.stringify(sent[keyword])} is sent, which means the same.`,
    sentInstead: sent[keyword]!,
  }))
}

function bigNumbers(value: JsonValue, pointer: string): SchemaFinding[] {
  if (typeof value === 'bigint') {
    const says = `Requests hold no exact integer beyond 2^53, so ${Number(value)} is sent for ${value}; the arguments are checked against the exact one.`
    return [{ pointer, effect: 'changed', says, sentInstead: Number(value) }]
  }
  if (!Array.isArray(value) && !isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    bigNumbers(member as JsonValue, below(pointer, key)),
  )
}
