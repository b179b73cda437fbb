import { readFileSync } from 'node:fs'
import type { Agent } from '../../agent/agent.ts'
import { ToolpostError } from '../../core/error.ts'
import { messageOf } from '../../core/message-of.ts'
import type { Cassette } from '../../testing/cassette/cassette.ts'
import { formatReplay } from '../../testing/cassette/format-replay.ts'
import { parseCassette } from '../../testing/cassette/parse-cassette.ts'
import { replay } from '../../testing/cassette/replay.ts'
import { agentOfModule } from '../agent-of-module.ts'
import { withAgentAlone } from '../agents-here.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { systemReason } from '../system-reason.ts'
import { writeJson } from '../terminal/json-lines.ts'

interface ReplayFileOptions extends AgentOptions {
  readonly finalize?: boolean
}

/** Replays a cassette on the folder's agent, or on one that a module exports. 1 when something is no longer as it was recorded. */
export async function replayFile(file: string, options: ReplayFileOptions): Promise<number> {
  const cassette = readCassette(file)
  const play = (agent: Agent) => replay(agent, cassette, { finalize: options.finalize === true })
  const place = placeOf(options)
  const report =
    place.module === undefined
      ? await withAgentAlone(place, play)
      : await play(await agentOfModule(place.module, cassette.agent))
  const { events: _events, ...told } = report
  if (options.json === true) writeJson(told)
  else process.stdout.write(`${formatReplay(report)}\n`)
  return report.same ? 0 : 1
}

function readCassette(file: string): Cassette {
  return parseCassette(readJson(file))
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = isMissing(error) ? 'there is no such file' : (systemReason(error) ?? messageOf(error, 200))
    throw new ToolpostError('INVALID_ARGUMENT', `"${file}" cannot be read as a cassette: ${why}.`, {
      cause: error,
    })
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
