import { encodeEvent } from '../../protocol/stream/encode-event.ts'
import { isTerminal } from '../../protocol/stream/run-event.ts'
import type { FrameSource } from './event-stream.ts'
import type { RunEvents } from './host-api.ts'

/** A run's events as frames. Nothing follows the event that ends the run. */
export function runFrames(source: RunEvents): FrameSource {
  return { frames: encoded(source), close: () => source.close() }
}

async function* encoded(source: RunEvents): AsyncGenerator<string, void, undefined> {
  for await (const { event, id } of source) {
    yield encodeEvent(event, id)
    if (isTerminal(event)) return
  }
}

/**
 * Waits for the first frame, so that what goes wrong before it is an answer of its own and not a broken stream. A caller
 * that goes meanwhile closes the source.
 */
export async function withFirstFrame(source: FrameSource, signal: AbortSignal): Promise<FrameSource> {
  const { frames } = source
  const leave = () => source.close()
  signal.addEventListener('abort', leave, { once: true })
  try {
    if (signal.aborted) leave()
    const first = await frames.next()
    return { ...source, frames: startingWith(first, frames) }
  } catch (thrown) {
    leave()
    throw thrown
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

async function* startingWith(
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
): AsyncGenerator<string, void, undefined> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value
}
