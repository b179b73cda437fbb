import type { ExecutableCall, Execution, ExecutionContext } from '../core/executor.ts'
import { limits } from '../core/limits.ts'
import { messageOf } from '../core/message-of.ts'
import { defineTool } from '../core/tool/define-tool.ts'
import type { Tool } from '../core/tool/tool.ts'
import { charactersMax, linesMax, readPart, type Wanted } from './read-part.ts'

/** The name under which the model reads large results; no other tool may have it. */
export const readResultName = 'read_result'

const schema = {
  type: 'object',
  properties: {
    handle: {
      type: 'string',
      description: 'The handle from the last line of the shortened result (sha256:...).',
    },
    fromLine: {
      type: 'integer',
      minimum: 1,
      description: 'First line to read, or to search, from 1. Default 1.',
    },
    lines: {
      type: 'integer',
      minimum: 1,
      maximum: linesMax,
      description: 'How many lines to read. Default 100.',
    },
    fromCharacter: {
      type: 'integer',
      minimum: 0,
      description: 'Read characters from here instead of lines, or search from here.',
    },
    characters: {
      type: 'integer',
      minimum: 1,
      maximum: charactersMax,
      description: 'How many characters to read. Default 8000.',
    },
    search: {
      type: 'string',
      minLength: 1,
      description:
        'Give the lines in which this JavaScript regular expression matches, of long lines what surrounds each match. No look-around, no back-references; (?i) at its beginning ignores case.',
    },
    pointer: {
      type: 'string',
      description:
        'Read in the part of a JSON result at this JSON pointer, e.g. /items/0, instead of in the whole; a string there is read as plain text.',
    },
  },
  required: ['handle'],
  additionalProperties: false,
} as const

/** The tool that reads parts of results which were too large for the conversation; for this session's results only. */
export function readResultTool(): Tool {
  const config = {
    name: readResultName,
    description:
      'Reads a part of a result that was too large to be shown whole: lines, characters, what matches a search, or the part of a JSON result at a pointer. Read by lines or by characters; a pointer goes with either, and with a search.',
    schema,
    toolClass: 'read',
    parallel: true,
    exposure: 'deferred',
    execute: () => undefined,
  } as const
  const made = defineTool(config, () => ({ execute: read }))
  return Object.freeze({ ...made, source: { kind: 'runtime', trusted: true } })
}

/** It asks what the model would get whole, so that what it reads is never too large itself. */
async function read(call: ExecutableCall, context: ExecutionContext): Promise<Execution> {
  const wanted = call.args as Wanted
  try {
    const text = await context.readResult(wanted.handle)
    if (text === undefined) throw new Error(`This conversation has no result ${wanted.handle}.`)
    const bytesMax = context.resultBytesMax ?? limits.resultTokensMax * 4
    return { status: 'completed', value: readPart(text, wanted, bytesMax), isReading: true }
  } catch (error) {
    return { status: 'failed', code: 'tool_error', message: messageOf(error), cause: error }
  }
}
