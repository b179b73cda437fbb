import { type Model, scriptedModel } from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'

const looking = (id: string, query: string) => ({ id, name: 'lookup', args: { query } })

/** What the models propose, turn by turn; after that they say that they have finished. */
const turns: Readonly<Record<string, readonly ScriptStep[]>> = {
  one: [{ text: 'I look that up.', calls: [looking('first', 'solar')] }],
  two: [
    { text: 'I look one thing up.', calls: [looking('first', 'solar')] },
    { text: 'And one thing more.', calls: [looking('second', 'lunar')] },
  ],
  pair: [{ calls: [looking('first', 'solar'), looking('second', 'lunar')] }],
  charge: [{ text: 'I charge the card.', calls: [{ id: 'charge', name: 'charge', args: { cents: 500 } }] }],
}

/** What every run of these models ends with. */
export const lastWords = 'That is all there is to say.'

/** A model by its name: what it says follows from the messages alone, so that any process goes on where one stopped. */
export function hostModel(name: string): Model | undefined {
  const said = Object.hasOwn(turns, name) ? turns[name] : undefined
  if (said === undefined) return undefined
  return scriptedModel(({ messages }) => {
    const asked = messages.findLastIndex(({ role }) => role === 'user')
    const answers = messages.slice(asked).filter(({ role }) => role === 'assistant').length
    return said[answers] ?? lastWords
  })
}
