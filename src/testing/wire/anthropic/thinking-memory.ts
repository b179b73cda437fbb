import { WireRefusal } from '../wire-refusal.ts'
import { type Block, blocksOf, type Turn } from './turns.ts'

/** The thinking that was given out, so that it can be told whether it comes back as it was. */
export class ThinkingMemory {
  readonly #bySignature = new Map<string, string>()
  /** By the id of a call: the signature of the thinking that led to it, or that there was none. */
  readonly #beforeCall = new Map<string, string | undefined>()

  remember(
    thought: { readonly signature: string; readonly thinking: string } | undefined,
    calls: readonly { readonly id: string }[],
  ): void {
    if (thought !== undefined) this.#bySignature.set(thought.signature, thought.thinking)
    for (const { id } of calls) this.#beforeCall.set(id, thought?.signature)
  }

  /**
   * With thinking on, all of it that comes back must be what was given out, and in a loop over tools that is under way
   * none may be missing. With a budget, a loop that began elsewhere must begin with thinking too. Errors: WireRefusal.
   */
  check(turns: readonly Turn[], isBudgeted: boolean): void {
    for (const turn of turns)
      for (const block of blocksOf(turn, 'thinking')) this.#checkUntouched(turn, block)
    const begun = turns.findLastIndex(
      (turn) => turn.role === 'user' && blocksOf(turn, 'tool_result').length === 0,
    )
    for (const turn of turns.slice(begun + 1)) {
      if (turn.role === 'assistant') this.#checkWhole(turn, isBudgeted)
    }
  }

  #checkUntouched({ index }: Turn, { thinking, signature = '' }: Block): void {
    const given = this.#bySignature.get(signature)
    if (given === undefined)
      throw new WireRefusal(`messages.${index}: the signature of a thinking block was not given out here.`)
    if (given !== thinking)
      throw new WireRefusal(
        `messages.${index}: a thinking block was changed; it must come back as it was given.`,
      )
  }

  #checkWhole(turn: Turn, isBudgeted: boolean): void {
    const seen = new Set<string>()
    const beginsWithThinking = /thinking$/.test(turn.blocks[0]?.type ?? '')
    for (const { type, id = '', signature = '' } of turn.blocks) {
      if (type === 'thinking') seen.add(signature)
      if (type !== 'tool_use') continue
      const isForeign = !this.#beforeCall.has(id)
      const needed = this.#beforeCall.get(id)
      if (isForeign && isBudgeted && !beginsWithThinking) throw missing(turn, id)
      if (needed !== undefined && !seen.has(needed)) throw missing(turn, id)
    }
  }
}

function missing({ index }: Turn, id: string): WireRefusal {
  return new WireRefusal(
    `messages.${index}: the thinking before the tool_use block "${id}" is missing; while thinking is on, it must come back before the call.`,
  )
}
