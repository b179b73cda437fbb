/** Places for what waits, all together and of one subject. Who has a place keeps it until he gives it back. */
export class Capacity {
  readonly #max: number
  readonly #perSubjectMax: number
  readonly #held = new Map<string, string>()
  readonly #bySubject = new Map<string, number>()

  constructor(max: number, perSubjectMax = max) {
    this.#max = max
    this.#perSubjectMax = perSubjectMax
  }

  get size(): number {
    return this.#held.size
  }

  /** Takes a place for something, once; false when there is none. */
  take(id: string, subject: string): boolean {
    if (this.#held.has(id)) return true
    const own = this.#bySubject.get(subject) ?? 0
    if (this.#held.size >= this.#max || own >= this.#perSubjectMax) return false
    this.#held.set(id, subject)
    this.#bySubject.set(subject, own + 1)
    return true
  }

  giveBack(id: string): void {
    const subject = this.#held.get(id)
    if (subject === undefined) return
    this.#held.delete(id)
    const left = (this.#bySubject.get(subject) ?? 1) - 1
    if (left === 0) this.#bySubject.delete(subject)
    else this.#bySubject.set(subject, left)
  }
}
