import type { RunEvent } from '../../protocol/stream/run-event.ts'
import type { RunReader } from './run-reader.ts'
import type { SentEvent } from './wire-writer.ts'

/** The events of a run as one reader gets them. Leaving it early, or closing it, says that the reader is gone. */
export interface RunStream extends AsyncIterable<SentEvent> {
  readonly runId: string
  close(): void
}

export function readerStream(runId: string, reader: RunReader): RunStream {
  return { runId, [Symbol.asyncIterator]: () => reader[Symbol.asyncIterator](), close: () => reader.close() }
}

/**
 * The events of a stream without their ids. It begins with the first `next`; leaving it closes the stream at once, also
 * while a read waits.
 */
export function eventsOnly(
  open: () => Promise<RunStream>,
  signal?: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  let opened: Promise<RunStream> | undefined
  let events: AsyncIterator<SentEvent> | undefined
  const leave = async () => {
    // A stream that was left before it began never begins.
    opened ??= Promise.reject(new Error('The stream was left before it began.'))
    const stream = await opened.catch(() => undefined)
    stream?.close()
  }
  return {
    next: async () => {
      opened ??= open()
      events ??= (await opened)[Symbol.asyncIterator]()
      const { done, value } = await events.next()
      if (done === true) signal?.throwIfAborted()
      return done === true ? { done, value: undefined } : { done: false, value: value.event }
    },
    return: async () => {
      await leave()
      return { done: true, value: undefined }
    },
    throw: async (error) => {
      await leave()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
    [Symbol.asyncDispose]: leave,
  }
}
