import type { ChildEvent, RunEvent } from '../../agent/run-event.ts'
import type { FinishReason } from '../../core/driver.ts'
import { eventLines } from './event-lines.ts'
import { inertLine } from './inert-text.ts'
import type { Output } from './output.ts'
import type { StoryLine } from './story-line.ts'

const fleeting = ['text.delta', 'reasoning.delta', 'call.delta', 'call.progressed'] as const

type Fleeting = Extract<RunEvent, { type: (typeof fleeting)[number] }>

/** Prints what happens in the runs below, behind the names of their agents; their words come when they are whole. */
export class ChildPrinter {
  readonly #output: Output
  readonly #tools = new Map<string, string>()
  readonly #finishes = new Map<string, FinishReason>()
  readonly #names = {
    toolOf: (call: string) => this.#tools.get(call) ?? call,
    finishOf: (run: string) => this.#finishes.get(run),
  }

  constructor(output: Output) {
    this.#output = output
  }

  event({ path, event }: ChildEvent): void {
    if (isFleeting(event)) return
    const whose = `[${path.map(({ agent }) => inertLine(agent)).join(' > ')}]`
    for (const line of this.#linesOf(event)) this.#line(whose, line)
  }

  #linesOf(event: Exclude<RunEvent, Fleeting>): readonly StoryLine[] {
    if (event.type === 'warning') return [{ mark: '!', style: 'yellow', text: inertLine(event.message) }]
    if (event.type === 'call.proposed') this.#tools.set(event.call, event.name)
    if (event.type === 'message.added' && event.message.role === 'assistant')
      this.#finishes.set(event.run, event.message.finish)
    return eventLines(event, this.#names)
  }

  #line(whose: string, { mark, style, text }: StoryLine): void {
    const shown = style === undefined ? mark : this.#output.style(style, mark)
    const before = `  ${this.#output.style('dim', whose)} ${shown === '' ? '' : `${shown} `}`
    for (const each of text.split('\n')) this.#output.line(`${before}${each}`)
  }
}

function isFleeting(event: RunEvent): event is Fleeting {
  return (fleeting as readonly string[]).includes(event.type)
}
