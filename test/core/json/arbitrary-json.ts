import fc from 'fast-check'
import type { JsonValue } from '../../../src/core/json/value.ts'

const hostileKeys = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'toJSON',
  '',
  'a/b',
  '~',
  '\u2028',
  '😀',
]

const text = fc.string({ unit: 'binary' })
const key = fc.oneof(fc.constantFrom(...hostileKeys), text)
const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

/** Integers that a double cannot hold exactly in general. */
export const longInteger = fc
  .bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
  .filter((value) => value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER))

function jsonOf(leaf: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'json' },
      leaf,
      fc.array(tie('value'), { maxLength: 5, depthIdentifier: 'json' }),
      fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true, depthIdentifier: 'json' }),
    ),
  })).value
}

const plainLeaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.maxSafeInteger(),
  finite,
  fc.constantFrom(1e20, 2 ** 60, -0, 1e21, 5e-324),
  text,
)

/** Every value that the strict parser can give. */
export const jsonValue: fc.Arbitrary<JsonValue> = jsonOf(fc.oneof(plainLeaf, longInteger))

/** Values on which this project and plain JSON agree in every respect: no integer beyond 2^53. */
export const safeValue: fc.Arbitrary<JsonValue> = jsonOf(
  plainLeaf.filter(
    (value) =>
      typeof value !== 'number' ||
      !Number.isInteger(value) ||
      Number.isSafeInteger(value) ||
      Math.abs(value) >= 1e21,
  ),
)
