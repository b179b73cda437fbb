import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agent, scriptedModel, suspend, tool } from '../../src/index.ts'
import { sqlite } from '../../src/sqlite.ts'
import { calling } from '../support/play.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const pages = 180

/** What each process makes for itself, over the one file. */
function clerk(file: string, paid: string[]) {
  const page = tool({
    name: 'page',
    description: 'Gives a page',
    toolClass: 'read',
    schema: { type: 'object', properties: { n: { type: 'integer' } } },
    execute: ({ n }) => `${n} `.padEnd(30_000, 'x'),
  })
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    toolClass: 'write',
    execute: (_args, { callId }) => {
      paid.push(callId)
      return 'paid'
    },
  })
  const reading = Array.from({ length: pages / 30 }, (_step, step) => ({
    calls: Array.from({ length: 30 }, (_call, n) => ({ name: 'page', args: { n: step * 30 + n } })),
  }))
  const model = scriptedModel([...reading, calling('pay'), 'done'], { fromHistory: true })
  const store = sqlite(file)
  const bounds = { results: { runTokensMax: 10_000_000 }, history: { charactersMax: 20_000_000 } }
  return {
    store,
    made: agent({ name: 'a', model, tools: [page, pay], store, approvals: () => suspend(), ...bounds }),
  }
}

test('an ask of a session with 5 MB of state is answered by a process that has just been started, and runs once [faults/F27]', async () => {
  const folder = temporaryFolder()
  try {
    const file = join(folder.path, 'log.db')
    const paid: string[] = []
    const first = clerk(file, paid)
    const session = await first.made.startSession('ask')
    const waiting = await session.run('go')
    expect(waiting.status).toBe('waiting')
    expect(JSON.stringify(await session.events()).length).toBeGreaterThan(5_000_000)
    await first.store.close()

    const second = clerk(file, paid)
    await second.made.decide(
      waiting.tickets[0] as string,
      { approved: true },
      { id: 'ann', method: 'library' },
    )
    const again = await second.made.openSession(session.id)
    const going = again.resume()
    let next = await going.next()
    while (!next.done) next = await going.next()
    expect(next.value.status).toBe('completed')
    expect(paid).toHaveLength(1)
    await second.store.close()
  } finally {
    folder.remove()
  }
})
