import { WireRefusal } from '../wire-refusal.ts'
import { type Block, blocksOf, type Turn } from './turns.ts'

/** The thinking that was given out, so that it can be told whether it comes back as it was. */
export class ThinkingMemory {
  readonly #bySignature = new Map<string, string>()
  /** By the id of a call: the signature of the thinking that led to it. */
  readonly #beforeCall = new Map<string, string>()

  remember(signature: string, thinking: string, calls: readonly { readonly id: string }[]): void {
    this.#bySignature.set(signature, thinking)
    for (const { id } of calls) this.#beforeCall.set(id, signature)
  }

  /**
   * With thinking on, all of it that comes back must be what was given out, and in a loop over tools that is under way
   * none may be missing. Errors: WireRefusal.
   */
  check(turns: readonly Turn[], isBudgeted: boolean): void {
    for (const turn of turns) for (const block of blocksOf(turn, 'thinking')) this.#checkUntouched(turn, block)
    const begun = turns.findLastIndex((turn) => turn.role === 'user' && !turn.blocks.every(isResult))
    for (const turn of turns.slice(begun + 1)) {
      if (turn.role === 'assistant') this.#checkWhole(turn, isBudgeted)
    }
  }

  #checkUntouched({ index }: Turn, { thinking, signature = '' }: Block): void {
    const given = this.#bySignature.get(signature)
    if (given === undefined)
      throw new WireRefusal(`messages.${index}: the signature of a thinking block was not given out here.`)
    if (given !== thinking)
      throw new WireRefusal(`messages.${index}: a thinking block was changed; it must come back as it was given.`)
  }

  #checkWhole({ index, blocks }: Turn, isBudgeted: boolean): void {
    const seen = new Set<string>()
    for (const [place, block] of blocks.entries()) {
      if (block.type === 'thinking') seen.add(block.signature ?? '')
      if (block.type !== 'tool_use') continue
      const signature = this.#beforeCall.get(block.id ?? '')
      const isForeign = isBudgeted && signature === undefined && this.#isUnknown(block) && place === 0
      if (isForeign || (signature !== undefined && !seen.has(signature))) {
        throw new WireRefusal(
          `messages.${index}: the thinking before the tool_use block "${block.id}" is missing; while thinking is on, it must come back before the call.`,
        )
      }
    }
  }

  #isUnknown({ id = '' }: Block): boolean {
    return !this.#beforeCall.has(id)
  }
}

function isResult(block: Block): boolean {
  return block.type === 'tool_result'
}
