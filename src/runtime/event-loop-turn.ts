import { soon } from './soon.ts'

/** Moves of all runs together after which the event loop turns: some milliseconds with a store in memory. */
const movesMax = 64

let moves = 0
let turning: Promise<void> | undefined

/**
 * Counts a move of a run, and gives what it has to wait for when the event loop has to turn before it. Where nothing is
 * waited for from outside, as with a store in memory and a script, no timer, no signal and no other work of the process
 * would be heard otherwise.
 */
export function turnBeforeMove(): Promise<void> | undefined {
  moves += 1
  if (turning === undefined && moves < movesMax) return undefined
  // Whoever moves meanwhile waits for the same turn: runs beside each other would take it from each other.
  turning ??= new Promise((resolve) => {
    soon(() => {
      moves = 0
      turning = undefined
      resolve()
    })
  })
  return turning
}
