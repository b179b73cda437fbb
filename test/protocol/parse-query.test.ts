import { expect, test } from 'vitest'
import { approvalFiltersBody } from '../../src/protocol/approvals/approval-inbox.ts'
import { formatQuery, parseQuery } from '../../src/protocol/parse-query.ts'
import { runFiltersBody } from '../../src/protocol/run/run-status.ts'

test('filters are read as they were written', () => {
  const filters = { uncertain: true, status: 'failed', cursor: 'a&b=%', limit: 20 } as const
  const query = formatQuery({ ...filters, nothing: undefined })
  expect(query).toBe('?uncertain=true&status=failed&cursor=a%26b%3D%25&limit=20')
  expect(parseQuery(runFiltersBody, new URLSearchParams(query))).toEqual({ ok: true, value: filters })
  expect(formatQuery({})).toBe('')
})

test('a text of digits stays a text where a text is meant', () => {
  expect(parseQuery(approvalFiltersBody, new URLSearchParams('runId=17&limit=17'))).toEqual({
    ok: true,
    value: { runId: '17', limit: 17 },
  })
})

test.each([
  ['limit=1e2', '/limit'],
  ['limit=0', '/limit'],
  ['limit=101', '/limit'],
  ['uncertain=1', '/uncertain'],
  ['refresh=true', '/refresh'],
  ['status=failed&status=running', '/status'],
  ['__proto__=x', '/__proto__'],
])('the query %s is refused', (query, pointer) => {
  const result = parseQuery(runFiltersBody, new URLSearchParams(query))
  expect(result.ok ? [] : result.faults.map((fault) => fault.pointer)).toEqual([pointer])
})
