import { expect, test } from 'vitest'
import type { Subschema } from '../../../src/core/schema/json-schema.ts'
import { faultsOfUnknown } from '../../../src/core/schema/unknown-output.ts'

const input: Subschema = { type: 'object', properties: { a: { type: 'number' }, any: {} } }
const output: Subschema = { type: 'object', properties: { a: {}, any: {} } }

function pointersOf(value: object, sample: object, untold: 'fault' | 'trust', out: Subschema = output) {
  const by = { sample: sample as never, output: out, input, untold }
  return faultsOfUnknown(value as never, by).map(({ pointer }) => pointer)
}

test('a place that a schema transforms to what is not told is held against what it gave there', () => {
  expect(pointersOf({ a: 7 }, { a: 5 }, 'fault')).toEqual([])
  expect(pointersOf({ a: 'x' }, { a: 5 }, 'trust')).toEqual(['/a'])
  expect(pointersOf({ a: { x: 1, y: [2] } }, { a: { x: 1, y: [1] } }, 'fault')).toEqual([])
  expect(pointersOf({ a: { x: 'no' } }, { a: { x: 1, y: 2 } }, 'fault')).toEqual(['/a/x', '/a/y'])
})

test('what neither the schema nor the sample tells is a fault for a person and trusted of a developer', () => {
  expect(pointersOf({ a: 7 }, {}, 'fault')).toEqual(['/a'])
  expect(pointersOf({ a: 7 }, { a: null }, 'fault')).toEqual(['/a'])
  expect(pointersOf({ a: 7 }, {}, 'trust')).toEqual([])
})

test('a place that takes anything may hold anything, and one that the schema tells is its own to check', () => {
  expect(pointersOf({ any: { x: 1 } }, { any: 5 }, 'fault')).toEqual([])
  const told: Subschema = { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }
  expect(pointersOf({ a: 'x' }, { a: 5 }, 'fault', told)).toEqual([])
  const half: Subschema = { properties: { a: { anyOf: [{}, { type: 'null' }] } } }
  expect(pointersOf({ a: 'x' }, { a: 5 }, 'fault', half)).toEqual(['/a'])
})
