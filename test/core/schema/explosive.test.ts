import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { explosion } from '../../../src/core/schema/explosive.ts'
import { toolSchema } from '../../../src/core/schema/schema.ts'

describe('patterns that a library runs itself', () => {
  test.each([
    '^(a+)+$',
    '(a|a)*b',
    '(a|ab|b)*c',
    '^(a*)*$',
    '(x*y*)*z',
    '(?:a|aa)+$',
    '^(\\w+\\s?)*$',
    '(.*a){20}',
    '(a?){50}a',
    '(?:a{1,50}){20}b',
    '(\\w|\\d)+$',
    '^(?=(a+)+b)',
    '(?:(?!x)(a+))+$',
    '(a)(\\1)+',
    '(?:a|b?)*?c(?:x+x+)+y',
    '(',
  ])('%s may explode', (pattern) => {
    expect(explosion(pattern)).toBeDefined()
  })

  test.each([
    '^a+$',
    '^(?!x).*$',
    '^(?=.*[A-Z])(?=.*\\d).{8,}$',
    '([a-z]+,)*[a-z]+',
    '^(?:[a-f0-9]{32},?)*$',
    '^\\d{1,3}(,\\d{3})*$',
    '(a)\\1',
    '(?:ab|ac)*',
    '^(?:https?://)?(?:[a-z0-9-]+\\.)+[a-z]{2,}(?:/\\S*)?$',
    '^[\\w-.]+]}$',
  ])('%s cannot', (pattern) => {
    expect(explosion(pattern)).toBeUndefined()
  })

  test("Zod's own patterns cannot", () => {
    for (const [name, pattern] of Object.entries(z.regexes)) {
      if (pattern instanceof RegExp) expect([name, explosion(pattern.source)]).toEqual([name, undefined])
    }
  })

  test.each([
    ['Zod', z.object({ a: z.array(z.string().regex(/^(a+)+$/)) }), '/properties/a/items/pattern'],
    [
      'Zod, in a union',
      z.object({ a: z.union([z.number(), z.string().regex(/^(a|a)*$/)]) }),
      '/properties/a/anyOf/1/pattern',
    ],
    [
      'Valibot',
      toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.regex(/^(a+)+$/)) })),
      '/properties/a/pattern',
    ],
  ])('one that may is refused when the tool is made: %s [faults/F10]', (_, schema, pointer) => {
    expect(() => toolSchema(schema)).toThrowError(
      expect.objectContaining({ code: 'INVALID_SCHEMA', details: expect.objectContaining({ pointer }) }),
    )
  })

  test('look-around that cannot explode is let through, and the library checks it', async () => {
    const schema = toolSchema(z.object({ a: z.string().regex(/^(?!x)[a-z]+$/) }))
    expect((await schema.check({ a: 'abc' })).ok).toBe(true)
    expect((await schema.check({ a: 'xbc' })).ok).toBe(false)
  })
})
