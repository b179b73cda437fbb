import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

const probe = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'])

/** Whether Python 3.10 or newer is there; says so loudly when not, since the tests in Python are then left out. */
export const hasPython = probe.status === 0

if (!hasPython) {
  const reason = probe.error?.message ?? 'python3 is older'
  console.warn(
    `LEFT OUT: the tests of the Python client need Python 3.10 or newer (${reason}); install it and run again.`,
  )
}

/** Runs the tests of the Python client and says how each ended: `ok`, `FAIL`, `ERROR` or `skipped`, by its name. */
export function pythonResults(): { readonly ends: ReadonlyMap<string, string>; readonly report: string } {
  const run = spawnSync('python3', ['-B', '-m', 'unittest', '-v'], {
    cwd: join(repository, 'clients/python'),
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
  const report = run.stderr
  // A test with a docstring has its name on one line, and the docstring with its end on the next one.
  const lines = report.matchAll(/^(test_\w+) \([^)]*\)(?:\n.*)? \.\.\. (\w+)/gm)
  return { ends: new Map(Array.from(lines, ([, name, end]) => [name!, end!])), report }
}
