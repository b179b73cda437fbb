import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const probe = spawnSync('strace', ['-f', '-o', '/dev/null', process.execPath, '--version'])

/** Whether strace is installed and may trace here; says so loudly when not, since its tests are then left out. */
export const hasStrace = probe.status === 0

if (!hasStrace) {
  const reason = probe.error?.message ?? probe.stderr.toString().trim()
  console.warn(
    `LEFT OUT: the tests that count syncs of the disk need strace (${reason}); install it and run again.`,
  )
}

/** Runs a Node program to its end and counts the times that it had the system sync a file. */
export function countSyncs(traceFile: string, program: string, ...args: string[]): number {
  const options = ['-f', '-qq', '-e', 'trace=fsync,fdatasync', '-o', traceFile]
  const run = spawnSync('strace', [...options, process.execPath, program, ...args])
  if (run.status !== 0) throw new Error(`The traced program failed: ${run.stderr}`)
  // A call that another thread interrupts has a second line, "<... fsync resumed>", which does not match.
  return readFileSync(traceFile, 'utf8').match(/\b(fsync|fdatasync)\(/g)?.length ?? 0
}
