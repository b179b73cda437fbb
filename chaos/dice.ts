/** Numbers that look random and follow from a seed alone. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number in [0, 1). */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.roll() * (most - least + 1))
  }

  chance(probability: number): boolean {
    return this.roll() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.roll() * items.length)] as Item
  }

  /** One of the items, each as often as its weight says. */
  weighed<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item {
    let left = this.roll() * items.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, item] of items) {
      left -= weight
      if (left < 0) return item
    }
    return (items.at(-1) as readonly [number, Item])[1]
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const order = [...items]
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = this.whole(0, last)
      const kept = order[last] as Item
      order[last] = order[other] as Item
      order[other] = kept
    }
    return order
  }
}

/** The seed of one thing among many of the same seed. */
export function seedOf(seed: number, ...names: readonly (number | string)[]): number {
  let mixed = seed >>> 0
  for (const character of names.join(' ')) {
    mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x01000193) >>> 0
    mixed ^= mixed >>> 13
  }
  return mixed >>> 0
}
