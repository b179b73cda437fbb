import { WireRefusal } from '../wire-refusal.ts'

/** An item as far as its order matters; its shape was checked before. */
export interface Item {
  readonly type?: string
  readonly role?: string
  readonly id?: string
  readonly call_id?: string
  readonly encrypted_content?: string | null
}

/** What was given out: what the provider keeps, and what it knows again when it comes back. */
export class ResponseMemory {
  readonly #kept = new Map<string, Item>()
  readonly #conversations = new Map<string, readonly Item[]>()
  /** By the id of a call: the reasoning that led to it. */
  readonly #reasoningOf = new Map<string, Item>()
  readonly #encrypted = new Map<string, string>()

  /** An answer; `isKept` says whether the provider keeps it, so that it can be referred to. */
  remember(id: string, input: readonly Item[], output: readonly Item[], isKept: boolean): void {
    const reasoning = output.find((item) => item.type === 'reasoning')
    for (const item of output) {
      if (item.id !== undefined && isKept) this.#kept.set(item.id, item)
      if (item.id !== undefined && typeof item.encrypted_content === 'string')
        this.#encrypted.set(item.encrypted_content, item.id)
      if (item.type === 'function_call' && reasoning !== undefined)
        this.#reasoningOf.set(item.call_id ?? '', reasoning)
    }
    if (isKept) this.#conversations.set(id, [...input, ...output])
  }

  /** The conversation that an answer belongs to. Errors: WireRefusal. */
  conversation(id: string): readonly Item[] {
    const found = this.#conversations.get(id)
    if (found !== undefined) return found
    throw new WireRefusal(`No response "${id}" is kept here.`, {
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    })
  }

  /** The item that is meant: itself, or the one that it refers to. Errors: WireRefusal. */
  resolve(item: Item): Item {
    if (item.type !== 'item_reference') return item
    const found = this.#kept.get(item.id ?? '')
    if (found !== undefined) return found
    throw new WireRefusal(
      `No item "${item.id}" is kept here; nothing is, of a request with "store": false.`,
      { param: 'input', status: 404 },
    )
  }

  /** The id under which reasoning was given out, if it comes back as it was. Errors: WireRefusal. */
  reasoningId({ id, encrypted_content: encrypted }: Item): string {
    if (typeof encrypted === 'string') {
      const given = this.#encrypted.get(encrypted)
      if (given !== undefined && (id === undefined || id === given)) return given
      throw new WireRefusal(`The encrypted content of the reasoning item "${id}" was not given out here.`, {
        param: 'input',
        code: 'invalid_encrypted_content',
      })
    }
    if (id !== undefined && this.#kept.has(id)) return id
    throw new WireRefusal(
      `The reasoning item "${id}" is not kept here and has no encrypted content; with "store": false, ask for it by "include".`,
      { param: 'input', status: 404 },
    )
  }

  /** The id of the reasoning that led to a call, if there was any. */
  reasoningBefore({ call_id: call }: Item): string | undefined {
    return this.#reasoningOf.get(call ?? '')?.id
  }
}
