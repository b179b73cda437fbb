import { writeFileSync } from 'node:fs'
import { ToolpostError } from '../../core/error.ts'
import type { Store } from '../../core/store.ts'
import { sessionStream } from '../../runtime/journal.ts'
import type { Cassette } from '../../testing/cassette/cassette.ts'
import { exportCassette } from '../../testing/cassette/export-cassette.ts'
import { withAgents } from '../agents-here.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { systemReason } from '../system-reason.ts'
import { writeJson } from '../terminal/json-lines.ts'

interface ExportSessionOptions extends AgentOptions {
  readonly run?: string
  readonly file?: string
}

/** Exports a session as a cassette, to standard output or into a file. */
export async function exportSession(session: string, options: ExportSessionOptions): Promise<number> {
  return await withAgents(placeOf(options), async ({ store }) => {
    const cassette = await cassetteOf(store, session, options.run)
    const { file } = options
    if (file === undefined) process.stdout.write(`${JSON.stringify(cassette, null, 2)}\n`)
    else writeCassette(file, cassette)
    if (file === undefined) return 0
    const { runs } = cassette
    if (options.json === true) writeJson({ session, file, runs: runs.length })
    else process.stdout.write(`Wrote ${file}: ${runs.length} run${runs.length === 1 ? '' : 's'}.\n`)
    return 0
  })
}

async function cassetteOf(store: Store, session: string, run: string | undefined): Promise<Cassette> {
  const events = await store.read(sessionStream(session))
  if (events.length === 0)
    throw new ToolpostError(
      'SESSION_NOT_FOUND',
      `The store holds no session "${session}"; runs --json names the session of each run.`,
    )
  return await exportCassette(events, { store, ...(run === undefined ? {} : { run }) })
}

function writeCassette(file: string, cassette: Cassette): void {
  try {
    writeFileSync(file, `${JSON.stringify(cassette, null, 2)}\n`)
  } catch (error) {
    const why = systemReason(error)
    if (why === undefined) throw error
    throw new ToolpostError('INVALID_ARGUMENT', `"${file}" cannot be written: ${why}.`, { cause: error })
  }
}
