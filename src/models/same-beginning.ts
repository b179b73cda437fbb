import type { ModelMessage } from '../core/driver.ts'

/** Whether a conversation begins with exactly these messages, told by their identity. */
export function beginsWith(messages: readonly ModelMessage[], beginning: readonly ModelMessage[]): boolean {
  if (beginning.length > messages.length) return false
  for (let index = 0; index < beginning.length; index += 1) {
    if (messages[index] !== beginning[index]) return false
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
