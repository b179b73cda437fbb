/**
 * Does a piece of work for each item, at most so many at a time, and gives what each came to, in the items' order.
 * After a throw no new work begins; what is under way comes to its end, and then the first throw is thrown.
 */
export async function atMostAtOnce<Item, Done>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = []
  const thrown: unknown[] = []
  const queue = items.entries()
  const takeTurns = async () => {
    for (const [place, item] of queue) {
      if (thrown.length > 0) return
      try {
        done[place] = await work(item)
      } catch (error) {
        thrown.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeTurns))
  if (thrown.length > 0) throw thrown[0]
  return done
}
