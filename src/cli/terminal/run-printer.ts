import type { ChildEvent, RunEvent } from '../../agent/run-event.ts'
import type { RunResult } from '../../agent/run-result.ts'
import { ChildPrinter } from './child-printer.ts'
import { clipped } from './clipped.ts'
import { eventLines, type StoryNames } from './event-lines.ts'
import { inertLine, inertText } from './inert-text.ts'
import type { Output } from './output.ts'
import type { RunView } from './run-view.ts'
import type { StoryLine } from './story-line.ts'

/** Prints a run for a person: the model's words as they come, calls with their outcomes. */
export class RunPrinter implements RunView {
  readonly #output: Output
  readonly #names: StoryNames
  readonly #children: ChildPrinter
  #step: number
  #isInStep = false
  #streamed = ''
  /** The first half of a character that the model's stream cut in two. */
  #half = ''

  constructor(output: Output, names: StoryNames, stepsBefore: number) {
    this.#output = output
    this.#names = names
    this.#children = new ChildPrinter(output)
    this.#step = stepsBefore
  }

  event(event: RunEvent | ChildEvent): void {
    if (event.type === 'child.event') this.#children.event(event)
    else if (event.type === 'text.delta') this.#delta(event.delta)
    else if (event.type === 'warning') this.#warn(event.message)
    else if (event.type === 'call.progressed') this.#progress(event)
    else if (event.type === 'message.added') this.#message(event)
    else if (event.type !== 'reasoning.delta' && event.type !== 'call.delta') {
      for (const line of eventLines(event, this.#names)) this.#line(line)
    }
  }

  end(_result: RunResult): void {
    this.#output.line()
  }

  #warn(message: string): void {
    this.#output.line(this.#output.style('yellow', `  ! ${inertLine(message)}`))
  }

  #delta(delta: string): void {
    const text = this.#half + delta
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    const whole = inertText(text.slice(0, text.length - this.#half.length))
    if (whole === '') return
    this.#openStep()
    this.#streamed += whole
    this.#output.piece(whole)
  }

  #message(event: Extract<RunEvent, { type: 'message.added' }>): void {
    if (event.message.role === 'user') {
      for (const line of eventLines(event, this.#names)) this.#line(line)
      return
    }
    this.#openStep()
    if (this.#streamed === '') for (const { text } of eventLines(event, this.#names)) this.#output.line(text)
    this.#streamed = ''
    this.#half = ''
    this.#isInStep = false
  }

  #openStep(): void {
    if (this.#isInStep) return
    this.#isInStep = true
    this.#step += 1
    this.#output.line(`\n${this.#output.style('dim', `── step ${this.#step}`)}`)
  }

  #progress({ call, progress }: Extract<RunEvent, { type: 'call.progressed' }>): void {
    const percent = progress.fraction === undefined ? '' : ` ${Math.round(progress.fraction * 100)} %`
    const message = progress.message === undefined ? '' : ` ${inertLine(clipped(progress.message, 200))}`
    this.#output.line(
      this.#output.style('dim', `  · ${inertLine(this.#names.toolOf(call))}${percent}${message}`),
    )
  }

  #line({ mark, style, text }: StoryLine): void {
    const shown = style === undefined ? mark : this.#output.style(style, mark)
    this.#output.line(`${mark === '>' ? '' : '  '}${shown} ${text}`)
  }
}
