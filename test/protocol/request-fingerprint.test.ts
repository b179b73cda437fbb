import { expect, test } from 'vitest'
import { requestFingerprint } from '../../src/protocol/request-fingerprint.ts'
import type { RunRequest } from '../../src/protocol/run/run-request.ts'

const request: RunRequest = {
  provider: 'docs',
  model: 'small',
  input: 'Where?',
  tools: ['a', 'b'],
  metadata: { one: '1', two: '2' },
  idempotencyKey: 'k',
}

test('the order of keys does not matter to a fingerprint', () => {
  const other = { ...request, metadata: { two: '2', one: '1' } }
  const reversed = Object.fromEntries(Object.entries(other).reverse()) as unknown as RunRequest
  expect(requestFingerprint(reversed)).toBe(requestFingerprint(request))
})

test.each<Partial<RunRequest>>([
  { input: 'Where ?' },
  { tools: ['b', 'a'] },
  { metadata: { one: '1', two: '3' } },
  { maxSteps: 8 },
  { onDisconnect: 'keep' },
])('with %j it is another one', (change) => {
  expect(requestFingerprint({ ...request, ...change })).not.toBe(requestFingerprint(request))
})
