import type { ModelMessage } from '../core/driver.ts'
import type { HistoryEntry, SessionState } from '../core/run/state.ts'
import { type HistoryBlock, historyBlock } from './history-block.ts'

/**
 * A session's history as messages, entry by entry. It grows with the log: what was composed for one step is not
 * composed again for the next, so that a step costs the same however long the conversation is.
 */
export class ComposedHistory {
  readonly #state: SessionState
  readonly #blocks: HistoryBlock[] = []
  readonly #entries: HistoryEntry[] = []
  readonly #messages: ModelMessage[] = []
  /** At each place, how many messages all entries before it came to. */
  readonly #messagesBefore: number[] = [0]
  /** At each place, the characters of all entries before it. */
  readonly #charactersBefore: number[] = [0]
  /** Places of entries whose results may still change. */
  #unsettled: number[] = []

  constructor(state: SessionState) {
    this.#state = state
  }

  /** Takes in what the log says now. */
  update(): void {
    const stale = this.#unsettled.find((place) => this.#hasChanged(place))
    if (stale !== undefined) this.#forgetFrom(stale)
    // The newest entry is another one once its calls are written.
    let newest = this.#entries.length - 1
    while (newest >= 0 && this.#state.history[newest] !== this.#entries[newest]) newest -= 1
    if (newest < this.#entries.length - 1) this.#forgetFrom(newest + 1)
    for (let place = this.#blocks.length; place < this.#state.history.length; place += 1) this.#add(place)
  }

  get length(): number {
    return this.#blocks.length
  }

  get characters(): number {
    return this.#charactersBefore.at(-1) ?? 0
  }

  /** The first place before which stand at least so many characters. */
  placeAfter(characters: number): number {
    let least = 0
    let most = this.length
    while (least < most) {
      const middle = (least + most) >> 1
      if ((this.#charactersBefore[middle] ?? 0) >= characters) most = middle
      else least = middle + 1
    }
    return least
  }

  /** The messages of the entries from a place on. */
  messagesFrom(place: number): ModelMessage[] {
    return this.#messages.slice(this.#messagesBefore[place])
  }

  #add(place: number): void {
    const entry = this.#state.history[place] as HistoryEntry
    const block = historyBlock(this.#state, entry)
    this.#entries.push(entry)
    this.#blocks.push(block)
    this.#messages.push(...block.messages)
    this.#messagesBefore.push(this.#messages.length)
    this.#charactersBefore.push(this.characters + block.characters)
    if (block.unsettled.length > 0) this.#unsettled.push(place)
  }

  #hasChanged(place: number): boolean {
    return (this.#blocks[place]?.unsettled ?? []).some((call) => this.#state.calls.get(call.id) !== call)
  }

  #forgetFrom(place: number): void {
    this.#entries.length = place
    this.#blocks.length = place
    this.#charactersBefore.length = place + 1
    this.#messagesBefore.length = place + 1
    this.#messages.length = this.#messagesBefore[place] ?? 0
    this.#unsettled = this.#unsettled.filter((each) => each < place)
  }
}
