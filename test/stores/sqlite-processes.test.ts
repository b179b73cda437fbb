import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../src/core/store.ts'
import { sqlite } from '../../src/stores/sqlite/sqlite-store.ts'
import { countSyncs, hasStrace } from '../support/strace.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ended, fixture, startFixture } from './fixtures/run-fixture.ts'

let folder: ReturnType<typeof temporaryFolder>
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder.path, 'store.db')
})
afterEach(() => folder.remove())

test('a watcher hears of what another process appends', async () => {
  const store = sqlite(file, { pollMs: 5 })
  const complete = until(store, async () => (await store.read('s')).length === 20)
  const child = startFixture('append', file, 's', '20', 'sequential')
  await complete
  expect((await ended(child)).code).toBe(0)
  await store.close()
})

test('every append that was acknowledged before a SIGKILL is there afterwards', async () => {
  const child = startFixture('append-and-tell', file, '8')
  const exit = ended(child)
  const acknowledged = new Map<string, number>()
  for await (const line of createInterface({ input: child.stdout! })) {
    const [stream = '', sequence] = line.split(' ')
    acknowledged.set(stream, Number(sequence))
    if (Number(sequence) === 150) child.kill('SIGKILL')
  }
  expect((await exit).signal).toBe('SIGKILL')
  const store = sqlite(file)
  expect(acknowledged.size).toBe(8)
  for (const [stream, sequence] of acknowledged) {
    const sequences = (await store.read(stream)).map((event) => event.sequence)
    expect(sequences.length).toBeGreaterThanOrEqual(sequence)
    expect(sequences).toEqual(sequences.map((_, index) => index + 1))
  }
  await store.close()
})

test('two processes that open a new file at once and append to one stream lose nothing [tools-in-an-agent/append-conditional]', async () => {
  const names = ['ann', 'bob']
  const children = names.map((name) => startFixture('contend', file, 's', '100', name))
  expect((await Promise.all(children.map(ended))).map(({ code }) => code)).toEqual([0, 0])
  const store = sqlite(file)
  const events = await store.read('s')
  expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  const outputs = events.map(({ event }) => event.type === 'run.ended' && event.output)
  for (const name of names) {
    const own = outputs.filter((output) => String(output).startsWith(name))
    expect(own).toEqual(Array.from({ length: 100 }, (_, index) => `${name} ${index}`))
  }
  await store.close()
})

test('opening waits until another process lets go of the file', async () => {
  const child = startFixture('hold-lock', file)
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  const store = sqlite(file)
  expect(store.pragmas()).toEqual({ journalMode: 'wal', synchronous: 2 })
  await store.close()
})

test.runIf(hasStrace)('every append alone is synced, and appends made at once share their syncs', () => {
  const program = fixture('append')
  const syncs = (count: number, order: string) =>
    countSyncs(
      join(folder.path, 'trace'),
      program,
      join(folder.path, `${count}-${order}.db`),
      's',
      `${count}`,
      order,
    )
  const opening = syncs(0, 'sequential')
  expect(syncs(50, 'sequential') - opening).toBeGreaterThanOrEqual(50)
  expect(syncs(100, 'concurrent') - opening).toBeLessThanOrEqual(5)
})

/** Resolves as soon as the condition holds; asks again whenever the store tells of a change. */
function until(store: Store, condition: () => Promise<boolean>): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = async () => {
      if (!(await condition())) return
      stop()
      resolve()
    }
    const stop = store.watch(() => void look().catch(reject))
    void look().catch(reject)
  })
}
