import { spawn } from 'node:child_process'
import { environment, main, node, type Running, running } from './fixture.ts'

export const down = '\u001b[B'
export const enter = '\r'
export const controlC = '\u0003'

/** A command in a pseudo-terminal of util-linux's `script`, which hands its own input to the keyboard. */
export function inTerminal(
  words: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): Running & { press(keys: string): void } {
  const command = ['exec', node, main, ...words]
    .map((word) => `'${word}'`)
    .join(' ')
    .replace("'exec'", 'exec')
  const child = spawn('script', ['-qec', `stty cols 120 rows 40; ${command}`, '/dev/null'], {
    env: environment({ TERM: 'xterm', SHELL: '/bin/sh', ...extra }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  return { ...running(child), press: (keys) => child.stdin.write(keys) }
}
