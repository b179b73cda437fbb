/** A block as far as its order matters; its shape was checked before. */
export interface Block {
  readonly type: string
  readonly id?: string
  readonly tool_use_id?: string
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
}

/** What one side says before the other speaks: messages of one role that follow each other are one turn. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly blocks: readonly Block[]
  /** Place of its first message. */
  readonly index: number
}

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly Block[]
}

/** The turns of a conversation. */
export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = []
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const last = turns.at(-1)
    if (last?.role === role) turns.splice(-1, 1, { ...last, blocks: [...last.blocks, ...blocks] })
    else turns.push({ role, blocks, index })
  }
  return turns
}

/** The blocks of one type. */
export function blocksOf(turn: Turn | undefined, type: string): Block[] {
  return turn?.blocks.filter((block) => block.type === type) ?? []
}
