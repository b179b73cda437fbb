import { soon } from './soon.ts'

/** Moves of all runs together after which the event loop turns: some milliseconds with a store in memory. */
const movesMax = 64

/** What a start of another agent counts for: it begins a log, and writes into the one above. */
const movesOfStart = 8

/** What a piece of a model's answer counts for: nothing of it is written. */
const movesOfPart = 1 / 16

let moves = 0
let turning: Promise<void> | undefined

/**
 * Counts a move of a run, and gives what it has to wait for when the event loop has to turn before it. Where nothing is
 * waited for from outside, as with a store in memory and a script, no timer, no signal and no other work of the process
 * would be heard otherwise.
 */
export function turnBeforeMove(): Promise<void> | undefined {
  return turnBefore(1)
}

/** The same for a piece of an answer that a model streams. */
export function turnBeforePart(): Promise<void> | undefined {
  return turnBefore(movesOfPart)
}

/**
 * The same for the start of another agent. A function can start hundreds in one go, which must not all go on after one
 * turn: those that have waited count again.
 */
export async function turnBeforeStart(): Promise<void> {
  for (let turn = turnBefore(movesOfStart); turn !== undefined; turn = turnBefore(movesOfStart)) await turn
}

function turnBefore(weight: number): Promise<void> | undefined {
  moves += weight
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
