import type { Append, IndexQuery, IndexRow, Store } from '../../core/store.ts'
import type { Suite } from './place.ts'
import { PlainModel } from './plain-model.ts'
import { SeededRandom } from './random.ts'
import { row, to } from './samples.ts'

const streams = ['a', 'b', 'c'] as const
const stepsPerSeed = 40

/** One step taken by the store and by the model, with what each of them answered. */
interface Step {
  readonly did: string
  readonly actual: unknown
  readonly expected: unknown
}

/** Random sequences of operations, for every seed the same: the store answers what the model answers. */
export function testModel({ api: { expect }, test }: Suite): void {
  for (let seed = 1; seed <= 12; seed += 1) {
    test(`a random history is answered as the model answers it (seed ${seed})`, async ({ store }) => {
      const walk = new RandomWalk(store, seed)
      for (let step = 1; step <= stepsPerSeed; step += 1) {
        const { did, actual, expected } = await walk.step()
        expect({ seed, step, did, answer: actual }).toEqual({ seed, step, did, answer: expected })
      }
    })
  }
}

class RandomWalk {
  private readonly store: Store
  private readonly random: SeededRandom
  private readonly model = new PlainModel()
  private now = 0

  constructor(store: Store, seed: number) {
    this.store = store
    this.random = new SeededRandom(seed)
  }

  step(): Promise<Step> {
    const choice = this.random.below(10)
    if (choice < 4) return this.append()
    if (choice < 6) return this.acquire()
    if (choice === 6) return this.release()
    return choice === 7 ? this.list() : this.read()
  }

  private async append(): Promise<Step> {
    const append = this.randomAppend()
    return this.compared('append', append, await this.store.append(append), this.model.append(append))
  }

  private async read(): Promise<Step> {
    const stream = this.random.oneOf(streams)
    return this.compared('read', stream, await this.store.read(stream), this.model.read(stream))
  }

  private async list(): Promise<Step> {
    const status = this.random.oneOf([undefined, ['open'], ['open', 'decided'], ['waiting', 'decided']])
    const query: IndexQuery = { kind: 'ticket', ...(status && { status }) }
    return this.compared('list', query, await this.store.list(query), this.model.list(query))
  }

  private async acquire(): Promise<Step> {
    const stream = this.random.oneOf(streams)
    const owner = this.random.oneOf(['ann', 'bob'])
    this.now += this.random.below(60)
    const actual = await this.store.acquireLease(stream, owner, 100, this.now)
    return this.compared(
      'acquire',
      { stream, owner },
      actual,
      this.model.acquire(stream, owner, 100, this.now),
    )
  }

  private async release(): Promise<Step> {
    const proof = this.proof()
    this.model.release(proof)
    return this.compared('release', proof, await this.store.releaseLease(proof), undefined)
  }

  private randomAppend(): Append {
    const { random } = this
    const lengths = new Map(streams.map((stream) => [stream, this.model.read(stream).length]))
    const touched = streams.filter(() => random.below(2) === 0)
    return {
      streams: touched.map((stream) => {
        const after = Math.max(0, (lengths.get(stream) ?? 0) - (random.below(6) === 0 ? 1 : 0))
        return to(stream, after, ...Array.from({ length: random.below(3) }, () => random.below(1_000)))
      }),
      ...(random.below(2) === 0 && { rows: [this.randomRow()] }),
      ...(random.below(3) === 0 && { uniqueKeys: [`key ${random.below(8)}`] }),
      ...(random.below(3) === 0 && { lease: this.proof() }),
    }
  }

  private randomRow(): IndexRow {
    const { random } = this
    const status = random.oneOf(['open', 'waiting', 'decided'])
    return row(`row ${random.below(6)}`, { status, at: random.below(4), data: { step: random.below(100) } })
  }

  /** Mostly the newest epoch of a stream, sometimes the one before. */
  private proof(): { stream: string; epoch: number } {
    const stream = this.random.oneOf(streams)
    return {
      stream,
      epoch: Math.max(1, this.model.newestEpoch(stream) - (this.random.below(4) === 0 ? 1 : 0)),
    }
  }

  private compared(name: string, details: unknown, actual: unknown, expected: unknown): Step {
    return { did: `${name} ${JSON.stringify(details)}`, actual, expected }
  }
}
