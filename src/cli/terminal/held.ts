import type { Output } from './output.ts'

/** Holds the output back while a prompt draws over its own lines. */
export async function held<Value>(output: Output, ask: () => Promise<Value>): Promise<Value> {
  output.hold()
  try {
    return await ask()
  } finally {
    output.release()
  }
}

/** A line in the middle of a prompt that holds the output back. */
export function aside(output: Output, line: string): void {
  output.release()
  output.line(line)
  output.hold()
}
