/**
 * The bytes of a body as they come. It stops with the signal's reason as soon as that aborts, also while it waits for
 * bytes; leaving it early gives the connection back.
 */
export async function* chunksOf(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  signal.throwIfAborted()
  if (body === null) return
  const reader = body.getReader()
  // A body that was aborted already may refuse to be cancelled.
  const stop = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const { done, value } = await read(reader, signal)
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal) {
  try {
    return await reader.read()
  } finally {
    signal.throwIfAborted()
  }
}
