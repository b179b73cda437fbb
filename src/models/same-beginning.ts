import type { ModelMessage } from '../core/driver.ts'

/** Where the conversation begins: after the system messages that stand before it. */
export function conversationStart(messages: readonly ModelMessage[]): number {
  let start = 0
  while (messages[start]?.role === 'system') start += 1
  return start
}

/** Whether the messages from a place on begin with the first so many of others, told by their identity. */
export function beginsWith(
  messages: readonly ModelMessage[],
  from: number,
  others: readonly ModelMessage[],
  count = others.length,
): boolean {
  if (from + count > messages.length) return false
  for (let index = 0; index < count; index += 1) {
    if (messages[from + index] !== others[index]) return false
  }
  return true
}

/** Whether the messages from a place on are frozen, so that the identity of one vouches for what it says. */
export function areFrozen(messages: readonly ModelMessage[], from: number): boolean {
  for (let index = from; index < messages.length; index += 1) {
    if (!Object.isFrozen(messages[index])) return false
  }
  return true
}
