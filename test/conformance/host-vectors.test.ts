import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHost } from '../../src/server/host.ts'
import { type RunningHost, serve } from '../../src/server/http/serve.ts'
import { configuredHost, hostNames } from './configured-host.ts'
import { hasPython } from './python.ts'

const { cases: vectors } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../conformance/host.json'), 'utf8'),
) as { cases: readonly { readonly id: string; readonly scenario?: string }[] }
const runner = join(import.meta.dirname, '../../conformance/run_host.py')

/** Plays every vector against hosts at these addresses, and says what the runner said. */
async function playVectors(urls: ReadonlyMap<string, string>): Promise<string> {
  const others = [...urls].filter(([name]) => name !== 'standard')
  const words = [
    '-B',
    runner,
    urls.get('standard')!,
    ...others.flatMap(([name, url]) => ['--host', `${name}=${url}`]),
  ]
  const child = spawn('python3', words)
  let said = ''
  for await (const piece of child.stdout) said += String(piece)
  return said
}

describe.skipIf(!hasPython)('a host', () => {
  const running = new Map<string, RunningHost>()
  let said = ''

  beforeAll(async () => {
    for (const name of hostNames) {
      const { options, tokens, cors } = configuredHost(name)
      running.set(name, await serve(createHost(options), { port: 0, tokens, cors, onWarning: () => {} }))
    }
  })

  beforeAll(async () => {
    said = await playVectors(new Map([...running].map(([name, { url }]) => [name, url])))
  }, 300_000)

  afterAll(async () => {
    await Promise.all([...running.values()].map((host) => host.close()))
  })

  test('keeps to every vector for hosts, with none left out [application-tools/fixture-suite]', () => {
    expect(said).toMatch(/^\d{3} passed, 0 failed$/m)
    expect(said).not.toContain('LEFT OUT')
  })

  test.each([
    ['D1', 'a review that nobody offers ends the run, whoever wants it [application/D1]'],
    ['D2', 'with a review the function runs once, after the approval [application/D2]'],
    ['D3', 'a definition lowers nothing that host or token require [application/D3]'],
    ['D5', "a host's callback that says no asks nobody [application/D5]"],
    ['D6', "a host's callback that says yes replaces no review [application/D6]"],
    ['E12', 'open reviews have a bound, and ends free it [application/E12]'],
    ['E14', 'without a stream there are no reviews [application/E14]'],
    ['E20', 'a decision needs the grants of provider and tool [application/E20]'],
    ['C19', 'progress and results need no slot, so that a full host can finish [application/C19]'],
  ])('%s: %s', (scenario) => {
    const ids = vectors.filter((vector) => vector.scenario === scenario).map(({ id }) => id)
    expect(ids).not.toEqual([])
    for (const id of ids) expect(said).not.toContain(`FAILED ${id} `)
  })
})
