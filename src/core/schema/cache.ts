/** A map that forgets what was not asked for the longest. */
export class Cache<Value> {
  private readonly entries = new Map<string, Value>()
  private readonly sizeMax: number

  constructor(sizeMax: number) {
    this.sizeMax = sizeMax
  }

  get size(): number {
    return this.entries.size
  }

  /** The value of a key, made when it is not there. A maker that throws leaves no entry. */
  get(key: string, make: () => Value): Value {
    const known = this.entries.get(key)
    const value = known ?? make()
    this.entries.delete(key)
    this.entries.set(key, value)
    if (this.entries.size > this.sizeMax) this.entries.delete(this.entries.keys().next().value!)
    return value
  }
}
