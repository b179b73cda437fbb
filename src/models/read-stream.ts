import { untilAborted } from './until-aborted.ts'

/**
 * The parts of a stream one by one. It throws the signal's reason once that aborts. However the reading ends (also
 * when the reader returns early) the stream is let go: before the last part it is cancelled, which closes the
 * connection behind it; after it the rest is read out, so that the connection can serve the next request.
 */
export async function* readStream<Part>(
  stream: ReadableStream<Part>,
  signal: AbortSignal,
  isLast: (part: Part) => boolean,
): AsyncGenerator<Part, void, undefined> {
  const reader = stream.getReader()
  let sawLast = false
  try {
    while (!sawLast) {
      const { done, value } = await untilAborted(reader.read(), signal)
      if (done) return
      sawLast = isLast(value)
      yield value
    }
  } finally {
    // Not awaited: a provider that is slow to let go must hold up neither an abort nor an answer.
    void (sawLast ? readOut(reader) : reader.cancel(signal.reason)).catch(() => undefined)
  }
}

async function readOut(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  while (!(await reader.read()).done);
}
