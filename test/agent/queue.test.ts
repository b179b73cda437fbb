import { expect, test } from 'vitest'
import { Queue } from '../../src/agent/queue.ts'

/** What a reader took out, as far as its order goes, and at which places the event loop had turned. */
async function readAll(queue: Queue<number>): Promise<{ count: number; inOrder: boolean; turns: number }> {
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  let count = 0
  let inOrder = true
  for await (const value of queue) {
    inOrder &&= value === count
    count += 1
  }
  clearImmediate(next)
  return { count, inOrder, turns }
}

test('very many values that lie ready are read in order, and the event loop turns meanwhile', async () => {
  const queue = new Queue<number>()
  for (let value = 0; value < 300_000; value += 1) queue.push(value)
  queue.end()
  const { turns, ...read } = await readAll(queue)
  expect(read).toEqual({ count: 300_000, inOrder: true })
  expect(turns).toBeGreaterThan(100)
})

test('few values are read in one turn of the event loop', async () => {
  const queue = new Queue<number>()
  for (let value = 0; value < 200; value += 1) queue.push(value)
  queue.end()
  expect(await readAll(queue)).toEqual({ count: 200, inOrder: true, turns: 0 })
})

test('what comes while others are read comes after them, and an error comes last', async () => {
  const queue = new Queue<number>()
  queue.push(1)
  queue.push(2)
  const read: unknown[] = []
  const reading = (async () => {
    for await (const value of queue) {
      read.push(value)
      if (value === 1) queue.push(3)
      if (value === 3) setImmediate(() => queue.push(4))
      if (value === 4) queue.end(new Error('over'))
    }
  })()
  await expect(reading).rejects.toThrow('over')
  expect(read).toEqual([1, 2, 3, 4])
})
