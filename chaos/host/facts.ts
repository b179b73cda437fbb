import type { RunEvent } from '../../src/host.ts'

/**
 * What a stream has told, apart from when: the text of each step as one, and no reports of progress, which are told to who
 * is there and kept for nobody. Two readers of a run are told the same facts, wherever they were cut off.
 */
export function factsOf(events: readonly RunEvent[]): readonly string[] {
  const facts: string[] = []
  let text = ''
  const say = () => {
    if (text !== '') facts.push(`text ${JSON.stringify(text)}`)
    text = ''
  }
  for (const event of events) {
    if (event.type === 'text.delta') text += event.text
    if (event.type === 'text.delta' || event.type === 'run.progress') continue
    say()
    const { sequence: _sequence, timestamp: _timestamp, ...fact } = event
    facts.push(JSON.stringify(fact))
  }
  say()
  return facts
}

/** Facts that one reader was told and the other was not, and facts that were told twice. */
export function differences(told: readonly RunEvent[], whole: readonly RunEvent[]): readonly string[] {
  const [first, second] = [factsOf(told), factsOf(whole)]
  return [
    ...second.filter((fact) => !first.includes(fact)).map((fact) => `lost: ${fact}`),
    ...first.filter((fact) => !second.includes(fact)).map((fact) => `made up: ${fact}`),
    ...first.filter((fact, index) => first.indexOf(fact) !== index).map((fact) => `told twice: ${fact}`),
  ]
}
