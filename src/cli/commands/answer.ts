import type { Agent } from '../../agent/agent.ts'
import { definitionOf } from '../../agent/children/known-agents.ts'
import { agentOf } from '../../agent/find-ask.ts'
import { parseJson } from '../../core/json/strict.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import type { IndexRow } from '../../core/store.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { personAtCommandLine } from '../person.ts'
import { answeredAsk, goOnLine, withAsk } from '../redeemed-ask.ts'
import { clipped } from '../terminal/clipped.ts'
import { inertLine, visibleJson } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { schemaFields } from '../terminal/schema-fields.ts'
import { UsageError } from '../usage-error.ts'

export type AnswerOptions = AgentOptions & { readonly value?: string; readonly text?: string }

/** Gives a tool what it stopped to ask for; whoever waits for it, in any process, goes on. */
export async function answer(ticket: string, options: AnswerOptions): Promise<number> {
  const read = readAnswer(options)
  const place = placeOf(options)
  return await withAsk(place, ticket, async (agent, row, here) => {
    const value = 'value' in read ? read.value : wrapped(read.text, await askedFor(agent, row))
    const by = personAtCommandLine()
    await agent.answer(ticket, value, by)
    const told = await answeredAsk(agent, here, row)
    const { tool, args, run, isDriven, given = value } = told
    if (options.json === true) writeJson({ ask: ticket, by, value: given, tool, args, run, isDriven })
    else {
      const line = `Answered: ${inertLine(tool)} ${clipped(visibleJson(given), 200)}`
      process.stdout.write(`${line}\n${goOnLine(place, told, String(row.data.agent))}\n`)
    }
    return 0
  })
}

function readAnswer({ value, text }: AnswerOptions): { value: JsonValue } | { text: string } {
  if (text !== undefined && value === undefined) return { text }
  if (value === undefined || text !== undefined)
    throw new UsageError('An answer is given with --value JSON, or with --text WORDS for a plain text.')
  const parsed = parseJson(value)
  if (parsed.ok) return { value: parsed.value }
  throw new UsageError(`--value is not JSON: ${parsed.fault.message}`)
}

/** What an answer must look like; undefined when the tool is not known here. */
async function askedFor(agent: Agent, { data }: IndexRow): Promise<JsonSchema | undefined> {
  const { state } = await agent.openSession(String(data.session))
  return agentOf(definitionOf(agent), state)?.catalog.find(String(data.tool))?.yieldSchema?.jsonSchema
}

/** A text stands for itself, or for the one text that an object is asked for. */
function wrapped(text: string, schema: JsonSchema | undefined): JsonValue {
  const [field, ...others] = (schema && schemaFields(schema)) ?? []
  const isOnly = field?.name !== undefined && field.kind === 'string' && others.length === 0
  return isOnly ? { [field.name as string]: text } : text
}
