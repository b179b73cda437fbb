import { HostError } from '../../protocol/host-error.ts'
import type { HostLimits } from '../host-options.ts'
import { subjectOf, type Who } from '../who.ts'
import { Capacity } from './capacity.ts'

/** More than all runs that may wait at once and their followers; a connection costs a host some kilobytes. */
const streamsMax = 10_000
/** An application may be one subject for all of its users, and each of its runs that wait has a stream. */
const streamsPerSubjectMax = 2_000

/** How many streams may be open over the network, by the names of discovery. */
export function streamBounds({ streams = streamsMax, streamsPerSubject = streamsPerSubjectMax }: HostLimits) {
  return { streamsMax: streams, streamsPerSubjectMax: Math.min(streams, streamsPerSubject) }
}

/** The streams that are open over the network. */
export class OpenStreams {
  readonly #capacity: Capacity
  #taken = 0

  constructor(limits: HostLimits = {}) {
    const bounds = streamBounds(limits)
    this.#capacity = new Capacity(bounds.streamsMax, bounds.streamsPerSubjectMax)
  }

  /** Takes a place; what it gives gives it back, once. Errors: CONNECTION_CAPACITY. */
  take(who: Who): () => void {
    this.#taken += 1
    const id = String(this.#taken)
    if (!this.#capacity.take(id, subjectOf(who))) throw new HostError('CONNECTION_CAPACITY')
    return () => this.#capacity.giveBack(id)
  }
}
