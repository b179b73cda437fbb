import { styleText } from 'node:util'

/** The styles in use; which of them the stream shows is for NO_COLOR, FORCE_COLOR and the terminal to say. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Text for a person, line by line and in pieces. While a prompt is open it is held back. */
export class Output {
  readonly #stream: NodeJS.WriteStream
  #held: string[] | undefined
  #isAtLineStart = true

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  /** One or more whole lines, on lines of their own. */
  line(text = ''): void {
    this.#write(`${this.#isAtLineStart ? '' : '\n'}${text}\n`)
  }

  /** A piece of running text. */
  piece(text: string): void {
    if (text !== '') this.#write(text)
  }

  style(style: Style, text: string): string {
    return styleText(style, text, { stream: this.#stream })
  }

  /** Holds everything back until `release`: a prompt draws over its own lines. */
  hold(): void {
    if (this.#held !== undefined) return
    if (!this.#isAtLineStart) this.#write('\n')
    this.#held = []
  }

  release(): void {
    const held = this.#held
    this.#held = undefined
    if (held !== undefined && held.length > 0) this.#stream.write(held.join(''))
  }

  #write(text: string): void {
    this.#isAtLineStart = text.endsWith('\n')
    if (this.#held === undefined) this.#stream.write(text)
    else this.#held.push(text)
  }
}
