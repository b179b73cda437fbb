import { ToolpostError } from '../core/error.ts'
import { parseJson } from '../core/json/strict.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import { followPointer } from '../core/policy/follow-pointer.ts'
import { compilePattern } from '../core/schema/pattern.ts'
import type { ToolContext } from '../core/tool/context.ts'
import { defineTool } from '../core/tool/define-tool.ts'
import type { Tool } from '../core/tool/tool.ts'
import { functionExecutor } from '../executors/function/function-executor.ts'

/** The name under which the model reads large results; no other tool may have it. */
export const readResultName = 'read_result'

const linesMax = 200
const charactersMax = 16_000

const schema = {
  type: 'object',
  properties: {
    handle: {
      type: 'string',
      description: 'The handle from the last line of the shortened result (sha256:...).',
    },
    fromLine: { type: 'integer', minimum: 1, description: 'First line to read, from 1. Default 1.' },
    lines: {
      type: 'integer',
      minimum: 1,
      maximum: linesMax,
      description: 'How many lines to read. Default 100.',
    },
    fromCharacter: {
      type: 'integer',
      minimum: 0,
      description: 'Read characters from here instead of lines.',
    },
    characters: {
      type: 'integer',
      minimum: 1,
      maximum: charactersMax,
      description: 'How many. Default 8000.',
    },
    search: {
      type: 'string',
      minLength: 1,
      description: 'Give the lines in which this regular expression (RE2) matches.',
    },
    pointer: {
      type: 'string',
      description: 'Give the part of a JSON result at this JSON pointer, e.g. /items/0.',
    },
  },
  required: ['handle'],
  additionalProperties: false,
} as const

interface Wanted {
  readonly handle: string
  readonly fromLine?: number
  readonly lines?: number
  readonly fromCharacter?: number
  readonly characters?: number
  readonly search?: string
  readonly pointer?: string
}

/** The tool that reads parts of results which were too large for the conversation; for this session's results only. */
export function readResultTool(): Tool {
  const config = {
    name: readResultName,
    description:
      'Reads a part of a result that was too large to be shown whole: lines, characters, the lines that match a search, or the part of a JSON result at a pointer.',
    schema,
    toolClass: 'read',
    parallel: true,
    exposure: 'deferred',
    execute: (args: unknown, context: ToolContext) => readPart(args as Wanted, context),
  } as const
  const made = defineTool(config, functionExecutor)
  return Object.freeze({ ...made, source: { kind: 'runtime', trusted: true } })
}

async function readPart(wanted: Wanted, context: ToolContext): Promise<string> {
  const text = await context.readResult(wanted.handle)
  if (text === undefined) throw new Error(`This conversation has no result ${wanted.handle}.`)
  if (wanted.pointer !== undefined) return partAt(text, wanted.pointer)
  if (wanted.search !== undefined) return matchingLines(text, wanted.search)
  if (wanted.fromCharacter !== undefined || wanted.characters !== undefined) return slice(text, wanted)
  return someLines(text.split('\n'), wanted)
}

function partAt(text: string, pointer: string): string {
  const parsed = parseJson(text, {
    depthMax: 1_000,
    bytesMax: Number.POSITIVE_INFINITY,
    membersMax: Number.POSITIVE_INFINITY,
  })
  if (!parsed.ok) throw new Error('This result is no JSON; read its lines instead.')
  const found = followPointer(parsed.value, pointer)
  if (typeof found === 'string') throw new Error(`The result has nothing at ${pointer}.`)
  return clipped(stringifyJson(found.value))
}

function clipped(text: string): string {
  if (text.length <= charactersMax) return text
  return `${cut(text, 0, charactersMax)}\n[${text.length - charactersMax} more characters: ask for a deeper pointer]`
}

function matchingLines(text: string, search: string): string {
  const pattern = patternOf(search)
  const matches = text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${index + 1}: ${clip(line)}`] : []))
  const shown = matches.slice(0, linesMax)
  const rest = matches.length > shown.length ? `\n[${matches.length - shown.length} more matching lines]` : ''
  return matches.length === 0 ? 'No line matches.' : `${boundedJoin(shown)}${rest}`
}

function patternOf(search: string): { test(text: string): boolean } {
  try {
    return compilePattern(search)
  } catch (error) {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The search is no pattern that can be run: ${(error as Error).message}`,
    )
  }
}

function someLines(all: readonly string[], { fromLine = 1, lines = 100 }: Wanted): string {
  if (fromLine > all.length) return `The result has ${all.length} lines.`
  const shown = all.slice(fromLine - 1, fromLine - 1 + lines).map(clip)
  const last = fromLine - 1 + shown.length
  return `${boundedJoin(shown)}\n[Lines ${fromLine} to ${last} of ${all.length}]`
}

const lineCharactersMax = 1_000

function clip(line: string): string {
  if (line.length <= lineCharactersMax) return line
  return `${cut(line, 0, lineCharactersMax)} [${line.length - lineCharactersMax} more characters in this line]`
}

function boundedJoin(lines: readonly string[]): string {
  let size = 0
  const kept = lines.filter((line) => {
    size += line.length + 1
    return size <= charactersMax
  })
  const left = lines.length - kept.length
  return left === 0 ? kept.join('\n') : `${kept.join('\n')}\n[${left} of these lines left out: ask for fewer]`
}

function slice(text: string, { fromCharacter = 0, characters = 8_000 }: Wanted): string {
  const part = cut(text, fromCharacter, characters)
  return `${part}\n[Characters ${fromCharacter} to ${fromCharacter + part.length} of ${text.length}]`
}

/** A part that begins and ends between characters, never within a pair of surrogates. */
function cut(text: string, from: number, length: number): string {
  return text
    .slice(from, from + length)
    .toWellFormed()
    .replace(/^\ufffd|\ufffd$/g, '')
}
