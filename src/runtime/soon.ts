/** Taken once, so that whoever replaces the timers of a test stops no write. */
const { setImmediate, setTimeout } = globalThis as {
  setImmediate?: (action: () => void) => unknown
  setTimeout: (action: () => void, delayMs: number) => unknown
}

/** Does something once what can go on now has gone on: at the end of this turn of the event loop. */
export function soon(action: () => void): void {
  if (setImmediate === undefined) setTimeout(action, 0)
  else setImmediate(action)
}
