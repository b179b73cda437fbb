import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mainAgent } from '../../src/cli/main-agent.ts'
import { silentModel } from '../../src/cli/silent-model.ts'
import { sqlite } from '../../src/stores/sqlite/sqlite-store.ts'
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

test('what became of an uncertain call is recorded once, with who found it out and how', async () => {
  using folder = testFolder()
  const { call, run: id } = await uncertainCall(folder.path)
  const listed = await run(['runs', '--uncertain', '--dir', folder.path])
  expect(listed.stdout).toContain(`write_report is uncertain; look, then: toolpost reconcile ${call}`)
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
