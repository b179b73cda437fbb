import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { appToken, servedApp } from '../client/support/served-app.ts'
import { hasPython } from './python.ts'

const folder = join(import.meta.dirname, '../../clients/python')

/** Runs the tests of the Python client that need a host, and gives their report. */
async function liveResults(url: string): Promise<{ readonly code: number; readonly report: string }> {
  const env = { ...process.env, TOOLPOST_URL: url, TOOLPOST_TOKEN: appToken }
  return await new Promise((resolve) => {
    execFile(
      'python3',
      ['-B', '-m', 'unittest', '-v', 'tests.live'],
      { cwd: folder, env },
      (error, _, report) => {
        resolve({ code: error === null ? 0 : 1, report })
      },
    )
  })
}

describe.skipIf(!hasPython)('the Python client at a host', () => {
  test('serves functions and workers, comes back, settles lost receipts and refuses what is no JSON [application-tools/other-languages]', async () => {
    await using app = await servedApp()
    const { code, report } = await liveResults(app.running.url)
    expect(code, report).toBe(0)
    expect(report.match(/\.\.\. ok$/gm)?.length, report).toBeGreaterThan(10)
  }, 300_000)
})
