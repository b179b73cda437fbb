#!/usr/bin/env node
import { reportFailure } from './failure.ts'
import { program } from './program.ts'

// A reader that has seen enough (`| head`) ends the program quietly; the record is whole at any point.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

const words = process.argv.slice(2)
let isOver = true
try {
  await program((exitCode, nothingGoesOn) => {
    process.exitCode = exitCode
    isOver = nothingGoesOn
  }).parseAsync(words, { from: 'user' })
} catch (error) {
  process.exitCode = reportFailure(error, words.includes('--json'))
}
// A module may have timers and connections that never end.
if (isOver) {
  await flushed(process.stdout)
  await flushed(process.stderr)
  process.exit()
}

async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => stream.write('', () => resolve()))
}
