/** Numbers that follow from a seed alone (the generator known as mulberry32), so that a failure can be repeated. */
export class SeededRandom {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }

  oneOf<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.below(choices.length)] as Choice
  }
}
