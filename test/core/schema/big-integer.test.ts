import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { faultsOf } from './support.ts'

const big = 9007199254740993n
const n = (schema: object) => ({ type: 'object', properties: { n: schema } })

describe('an exact integer beyond 2^53', () => {
  test('is an integer and a number, and nothing else', async () => {
    expect(await faultsOf(n({ type: 'integer' }), { n: big })).toEqual([])
    expect(await faultsOf(n({ type: 'number' }), { n: big })).toEqual([])
    expect(await faultsOf(n({ type: 'string' }), { n: big })).toEqual(['/n must be a string'])
  })

  test('is compared exactly, also with numbers', async () => {
    expect(await faultsOf(n({ maximum: 9007199254740992 }), { n: big })).toEqual([
      '/n must be at most 9007199254740992',
    ])
    expect(await faultsOf(n({ exclusiveMinimum: 9007199254740992 }), { n: big })).toEqual([])
    expect(await faultsOf(n({ maximum: big }), { n: 9007199254740994n })).toEqual([
      `/n must be at most ${big}`,
    ])
    expect(await faultsOf(n({ const: 9007199254740992 }), { n: big })).toEqual([
      '/n must be 9.007199254740992e+15',
    ])
    expect(await faultsOf(n({ enum: [big, 1] }), { n: big })).toEqual([])
    expect(
      await faultsOf(n({ uniqueItems: true }), { n: [big, 9007199254740992, 9007199254740992n] }),
    ).toEqual(['/n must not hold one item twice (items 1 and 2)'])
  })

  test('is divided exactly, also by a fraction', async () => {
    expect(await faultsOf(n({ multipleOf: 2 }), { n: big })).toEqual(['/n must be a multiple of 2'])
    expect(await faultsOf(n({ multipleOf: 0.5 }), { n: big })).toEqual([])
    expect(await faultsOf(n({ multipleOf: 3002399751580331n }), { n: big })).toEqual([])
  })

  test('is a fault, not a crash, for a library that takes none', async () => {
    expect(await faultsOf(z.object({ n: z.number() }), { n: big })).toEqual([expect.stringMatching(/^\/n: /)])
  })
})
