import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mainAgent } from '../../src/cli/main-agent.ts'
import { silentModel } from '../../src/cli/silent-model.ts'
import { sqlite } from '../../src/stores/sqlite/sqlite-store.ts'
import { embeddedHost, eventually, request } from '../server/support/embedded-host.ts'
import { run, testFolder } from './fixture.ts'

/** A call that was stopped while it wrote, and did not say how far it had come. */
async function uncertainCall(dir: string): Promise<{ call: string; run: string }> {
  const store = sqlite(join(dir, '.toolpost/toolpost.db'))
  const stopped = new AbortController()
  const agent = mainAgent({
    dir,
    store,
    model: silentModel(),
    approvals: () => ({ approved: true }),
    wrapTool: (tool) => ({
      ...tool,
      executor: {
        execute: () => {
          stopped.abort(new Error('Stopped.'))
          return new Promise(() => undefined)
        },
      },
    }),
  })
  const session = await agent.startSession('ask')
  const calls = [{ name: 'write_report', arguments: { path: 'a', markdown: 'A' } }]
  const { results, run: id } = await session.step({ calls }, { signal: stopped.signal })
  await store.close()
  return { call: results[0]?.call ?? '', run: id }
}

/** The words of the command that `runs --uncertain` advises, from the name of the command on. */
function adviceIn(text: string): string[] {
  const [, words = ''] = /look, then: .*?(reconcile .*)/.exec(text) ?? []
  return words.split(' ')
}

/** A run of a host that was left while an application had its call. */
async function uncertainExecution(file: string): Promise<string> {
  const store = sqlite(file)
  const host = embeddedHost({ store })
  const reading = await host.start(request)
  await reading.first('tool.execution.requested')
  reading.close()
  await eventually(() => (host.runs.liveRun(reading.runId) === undefined ? true : undefined))
  await store.close()
  return reading.runId
}

test('what is advised can be done as it is printed, with one of the three findings', async () => {
  using folder = testFolder()
  const { call } = await uncertainCall(folder.path)
  const words = adviceIn((await run(['runs', '--uncertain', '--dir', folder.path])).stdout)
  expect(words).toEqual(['reconcile', call, '--dir', folder.path, 'completed|failed|not_run'])
  const typed = words.map((word) => (word.includes('|') ? (word.split('|')[2] ?? '') : word))
  expect(await run(typed)).toMatchObject({ code: 0, stdout: `Recorded: ${call} was found not_run.\n` })
})

test("a call of a host's run is named as its client knows it, together with the run", async () => {
  using folder = testFolder()
  const file = join(folder.path, 'host.db')
  const runId = await uncertainExecution(file)
  const at = ['--dir', folder.path, '--store', file]
  const alone = await run(['reconcile', 'lookup-one', 'not_run', ...at])
  expect(alone.stderr).toMatch(/name its run too: --run RUN.*\[CALL_NOT_FOUND\]/s)
  const other = await run(['reconcile', 'lookup-two', 'not_run', '--run', runId, ...at])
  expect(other.stderr).toMatch(/\[CALL_NOT_FOUND\]/)
  const nowhere = await run(['reconcile', 'lookup-one', 'not_run', '--run', 'run_none', ...at])
  expect(nowhere.stderr).toMatch(/\[RUN_NOT_FOUND\]/)
  const found = await run(['reconcile', 'lookup-one', 'not_run', '--run', runId, '--json', ...at])
  expect(JSON.parse(found.stdout)).toMatchObject({ found: 'not_run', by: { method: 'command-line' } })
  const again = await run(['reconcile', 'lookup-one', 'not_run', '--run', runId, ...at])
  expect(again.stderr).toMatch(/\[CALL_NOT_UNCERTAIN\]/)
  expect((await run(['runs', '--uncertain', ...at])).stdout).toBe('No runs.\n')
})

test('what is advised about a run of a host can be done as it is printed', async () => {
  using folder = testFolder()
  const file = join(folder.path, 'host.db')
  await uncertainExecution(file)
  const words = adviceIn((await run(['runs', '--uncertain', '--dir', folder.path, '--store', file])).stdout)
  const typed = words.map((word) => (word.includes('|') ? 'completed' : word))
  expect((await run(typed)).stdout).toMatch(/^Recorded: call_\S+ was found completed\.\n$/)
})

test('an uncertain call is listed as clients of its host know it: whose, with what arguments, and by which id', async () => {
  using folder = testFolder()
  const file = join(folder.path, 'host.db')
  await uncertainExecution(file)
  const at = ['--uncertain', '--dir', folder.path, '--store', file]
  const { stdout } = await run(['runs', ...at])
  expect(stdout).toMatch(/ {2}lookup \{"query":"solar".*\} \(lookup-one\) of \w+ is uncertain; look, then: /)
  const { runs } = JSON.parse((await run(['runs', ...at, '--json'])).stdout) as { runs: object[] }
  expect(runs).toMatchObject([
    { subject: expect.any(String), uncertain: [{ tool: 'lookup', modelCallId: 'lookup-one' }] },
  ])
})

test('what became of an uncertain call is recorded once, with who found it out and how', async () => {
  using folder = testFolder()
  const { call, run: id } = await uncertainCall(folder.path)
  const listed = await run(['runs', '--uncertain', '--dir', folder.path])
  expect(adviceIn(listed.stdout)).toContain(call)
  const shown = await run(['show', id, '--dir', folder.path])
  expect(shown.stdout).toMatch(/nobody saw whether its effect took place/)
  const recorded = await run([
    'reconcile',
    call,
    'not_run',
    '--note',
    'There is no file.',
    '--dir',
    folder.path,
    '--json',
  ])
  expect(recorded.code).toBe(0)
  expect(JSON.parse(recorded.stdout)).toMatchObject({
    call,
    found: 'not_run',
    by: { method: 'command-line' },
  })
  expect((await run(['show', id, '--dir', folder.path])).stdout).toMatch(
    /was found not_run by .*: There is no file\./,
  )
  expect((await run(['runs', '--uncertain', '--dir', folder.path])).stdout).toBe('No runs.\n')
  const again = await run(['reconcile', call, 'failed', '--dir', folder.path])
  expect(again.code).toBe(1)
  expect(again.stderr).toMatch(/\[CALL_NOT_UNCERTAIN\]/)
})
