import { HostError, isHostError } from '../protocol/host-error.ts'
import { EventStreamParser, type StreamFrame } from '../protocol/stream/event-stream-parser.ts'
import { chunksOf } from './chunks.ts'
import type { Exchange, Sending } from './exchange.ts'

/**
 * Asks for a stream and gives its frames. Throws what `Exchange.send` and `EventStreamParser` throw, INCOMPLETE_STREAM
 * when the connection breaks off, and the signal's reason.
 */
export async function* framesOf(
  exchange: Exchange,
  sending: Omit<Sending, 'accept'>,
): AsyncGenerator<StreamFrame, void, undefined> {
  const { signal } = sending
  const { body } = await exchange.send({ ...sending, accept: 'text/event-stream' })
  const parser = new EventStreamParser()
  try {
    for await (const chunk of chunksOf(body, signal)) {
      for (const frame of parser.read(chunk)) {
        // What came before the abort is not acted on after it.
        signal.throwIfAborted()
        yield frame
      }
    }
  } catch (cause) {
    signal.throwIfAborted()
    if (isHostError(cause)) throw cause
    throw new HostError('INCOMPLETE_STREAM', 'The connection broke off in the middle of the stream.', {
      cause,
    })
  }
  parser.end()
}
