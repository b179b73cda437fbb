import { createReadStream } from 'node:fs'
import type { Agent } from '../../agent/agent.ts'
import { definitionOf } from '../../agent/children/known-agents.ts'
import { agentOf } from '../../agent/find-ask.ts'
import { parseJson } from '../../core/json/strict.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { limits } from '../../core/limits.ts'
import { messageOf } from '../../core/message-of.ts'
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

export type AnswerOptions = AgentOptions & {
  readonly value?: string
  readonly valueFile?: string
  readonly text?: string
}

/** Gives a tool what it stopped to ask for; whoever waits for it, in any process, goes on. */
export async function answer(ticket: string, options: AnswerOptions): Promise<number> {
  const read = await readAnswer(options)
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
      process.stdout.write(`${line}\n${goOnLine(place, told)}\n`)
    }
    return 0
  })
}

async function readAnswer(options: AnswerOptions): Promise<{ value: JsonValue } | { text: string }> {
  const { value, valueFile, text } = options
  if ([value, valueFile, text].filter((each) => each !== undefined).length !== 1)
    throw new UsageError(
      'An answer is given with one of --value JSON, --value - for standard input, --value-file FILE, and --text WORDS for a plain text.',
    )
  if (text !== undefined) return { text }
  const option = value === undefined ? '--value-file' : '--value'
  const parsed = parseJson(value !== undefined && value !== '-' ? value : await contentOf(valueFile))
  if (parsed.ok) return { value: parsed.value }
  throw new UsageError(`${option} is not JSON: ${parsed.fault.message}`)
}

/** What stands in a file, or comes from standard input: no more of it than an answer may have, and some for white space. */
async function contentOf(file: string | undefined): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of file === undefined ? process.stdin : createReadStream(file)) {
      const piece = chunk as Uint8Array
      bytes += piece.length
      if (bytes > contentBytesMax)
        throw new UsageError(`An answer is read from at most ${contentBytesMax} bytes, and there are more.`)
      chunks.push(piece)
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--value-file ${inertLine(file ?? '-')} cannot be read: ${messageOf(error)}`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const contentBytesMax = 4 * limits.answerBytesMax

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
