import type { ModelMessage } from '../core/driver.ts'

type SystemMessage = Extract<ModelMessage, { role: 'system' }>

/** A request's messages, those of the system apart from the conversation, both in their order. */
export function withoutSystem(messages: readonly ModelMessage[]): {
  readonly system: readonly SystemMessage[]
  readonly conversation: readonly ModelMessage[]
} {
  const system: SystemMessage[] = []
  let last = -1
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index] as ModelMessage
    if (message.role !== 'system') continue
    system.push(message)
    last = index
  }
  // As nearly always: then the conversation is copied in one go.
  if (last + 1 === system.length) return { system, conversation: messages.slice(last + 1) }
  return { system, conversation: messages.filter((message) => message.role !== 'system') }
}
