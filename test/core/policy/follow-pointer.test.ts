import { expect, test } from 'vitest'
import { followPointer } from '../../../src/core/policy/follow-pointer.ts'

const root = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, '~1': 9, deep: { '': { x: null } } }

test('a pointer finds what RFC 6901 says', () => {
  expect(followPointer(root, '')).toEqual({ value: root })
  expect(followPointer(root, '/foo')).toEqual({ value: ['bar', 'baz'] })
  expect(followPointer(root, '/foo/1')).toEqual({ value: 'baz' })
  expect(followPointer(root, '/')).toEqual({ value: 0 })
  expect(followPointer(root, '/a~1b')).toEqual({ value: 1 })
  expect(followPointer(root, '/m~0n')).toEqual({ value: 8 })
  expect(followPointer(root, '/~01')).toEqual({ value: 9 })
  expect(followPointer(root, '/deep//x')).toEqual({ value: null })
})

test('a pointer finds nothing that is inherited, out of range, or an index in another spelling', () => {
  for (const pointer of [
    '/constructor',
    '/__proto__',
    '/foo/length',
    '/foo/2',
    '/foo/01',
    '/foo/-',
    '/foo/1e0',
    '/nope/x',
  ]) {
    expect(followPointer(root, pointer)).toBe('missing')
  }
})

test('a key named __proto__ is found when it is really there', () => {
  expect(followPointer(JSON.parse('{"__proto__": {"x": 1}}'), '/__proto__/x')).toEqual({ value: 1 })
})

test('a text that is no pointer is malformed', () => {
  for (const text of ['foo', 'a/b', '/a~', '/a~2', '/~1/~x'])
    expect(followPointer(root, text)).toBe('malformed')
})
