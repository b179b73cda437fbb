type AsyncFunctionConstructor = new (body: string) => () => Promise<unknown>
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as AsyncFunctionConstructor

/** Whether the engine takes statements as the body of a strict async function. Nothing runs. */
export function compiles(body: string): boolean {
  try {
    new AsyncFunction(`"use strict";\n${body}`)
    return true
  } catch {
    return false
  }
}
