import { describe, expect, test } from 'vitest'
import { isHostError } from '../../../src/protocol/host-error.ts'
import type { RunRequest } from '../../../src/protocol/run/run-request.ts'
import { type ExpectedRun, RunStreamCheck } from '../../../src/protocol/stream/run-stream-check.ts'

const lookup = { name: 'lookup', description: 'Looks something up.', inputSchema: { type: 'object' } }
const request: RunRequest = {
  provider: 'docs',
  model: 'small',
  input: 'Where?',
  tools: ['lookup'],
  applicationTools: [lookup, { ...lookup, name: 'unselected' }],
  approvals: { mode: 'interactive', idlePolicy: 'pause' },
}
const call = { id: 'c1', name: 'lookup', arguments: { query: 'solar' } }
const error = { code: 'CANCELLED', message: 'It was cancelled.', retryable: false }

type Members = Record<string, unknown>

/** An event with what every one has; what is given replaces it. */
function event(type: string, sequence: number, members: Members = {}): Members {
  return { type, runId: 'r1', sequence, timestamp: '2026-01-02T03:04:05.678Z', ...members }
}

const started = event('run.started', 1, { provider: 'docs', model: 'small' })

function approvalAt(sequence: number, members: Members = {}): Members {
  const requestedAt = '2026-01-02T03:04:05Z'
  const approval = { approvalId: 'a1', runId: 'r1', call, requestedAt, idlePolicy: 'pause', ...members }
  return event('approval.requested', sequence, { approval })
}

function executionAt(sequence: number, members: Members = {}): Members {
  const execution = { executionId: 'e1', runId: 'r1', call, ...members }
  return event('tool.execution.requested', sequence, { execution })
}

function resultAt(sequence: number, members: Members = {}): Members {
  const asked = { runId: 'r1', provider: 'docs', model: 'small' }
  const result = { ...asked, text: 'Here.', usage: {}, steps: 1, finishReason: 'stop', ...members }
  return event('run.completed', sequence, { result })
}

/** The code of the fault that events come to, `ok` when they come to none. */
function verdict(events: readonly unknown[], expected: ExpectedRun = { request }): string {
  const check = new RunStreamCheck(expected)
  try {
    for (const one of events) check.accept({ data: JSON.stringify(one) })
    return 'ok'
  } catch (thrown) {
    if (!isHostError(thrown)) throw thrown
    return thrown.code
  }
}

describe('the order of a stream', () => {
  test('is run.started, then one event after the other, then one that ends it', () => {
    const check = new RunStreamCheck({ request })
    const events = [
      started,
      event('step.started', 2, { step: 1 }),
      approvalAt(3),
      executionAt(4),
      resultAt(5),
    ]
    const accepted = events.map((one) => check.accept({ data: JSON.stringify(one) }))
    expect(accepted).toEqual(events)
    expect([check.isEnded, check.runId, check.sequence]).toEqual([true, 'r1', 5])
    expect(() => check.end()).not.toThrow()
  })

  test.each([
    ['does not begin with run.started', [event('step.started', 1, { step: 1 })]],
    ['begins with run.started at another number', [{ ...started, sequence: 2 }]],
    ['has run.started twice', [started, { ...started, sequence: 2 }]],
    ['leaves a number out', [started, event('text.delta', 3, { text: 'a' })]],
    ['repeats a number', [started, event('text.delta', 1, { text: 'a' })]],
    ['changes its run', [started, event('text.delta', 2, { text: 'a', runId: 'r2' })]],
    ['goes on after its end', [started, event('run.failed', 2, { error }), resultAt(3)]],
    ['is of another model than was asked for', [{ ...started, model: 'large' }]],
    ['has the result of another run', [started, resultAt(2, { runId: 'r2' })]],
    ['has the result of another model', [started, resultAt(2, { model: 'large' })]],
  ])('a stream that %s is invalid', (_, events) => {
    expect(verdict(events)).toBe('INVALID_STREAM')
  })

  test('a stream that ends before its run is incomplete', () => {
    const check = new RunStreamCheck({ request })
    expect(() => check.end()).toThrow(expect.objectContaining({ code: 'INCOMPLETE_STREAM' }))
    check.accept({ data: JSON.stringify(started) })
    expect(() => check.end()).toThrow(expect.objectContaining({ code: 'INCOMPLETE_STREAM' }))
  })
})

describe('a stream that is taken up again', () => {
  test('begins at any later number, and counts from there', () => {
    const expected = { request, runId: 'r1', after: 4 }
    expect(verdict([executionAt(7), resultAt(8)], expected)).toBe('ok')
    expect(verdict([executionAt(4)], expected)).toBe('INVALID_STREAM')
    expect(verdict([executionAt(7), resultAt(9)], expected)).toBe('INVALID_STREAM')
    expect(verdict([{ ...executionAt(7), runId: 'r2' }], expected)).toBe('INVALID_STREAM')
  })

  test('may jump once after a new connection, and still knows what was executed', () => {
    const check = new RunStreamCheck({ request })
    for (const one of [started, executionAt(2)]) check.accept({ data: JSON.stringify(one) })
    check.resume()
    check.accept({ data: JSON.stringify(event('text.delta', 9, { text: 'a' })) })
    expect(() => check.accept({ data: JSON.stringify(executionAt(10)) })).toThrow('twice')
  })

  test('can be followed by somebody who did not ask for the run', () => {
    expect(verdict([started, approvalAt(2), executionAt(3), resultAt(4)], { runId: 'r1' })).toBe('ok')
    expect(verdict([started, resultAt(2, { model: 'large' })], {})).toBe('INVALID_STREAM')
  })
})

describe('executions', () => {
  const other = { ...call, id: 'c2' }
  test.each([
    ['of another run', [executionAt(2, { runId: 'r2' })]],
    ['with an empty id', [executionAt(2, { executionId: '' })]],
    ['with an id of 257 code units', [executionAt(2, { executionId: '𝄞'.repeat(129) })]],
    ['of a call with an empty id', [executionAt(2, { call: { ...call, id: '' } })]],
    ['of a name that no tool can bear', [executionAt(2, { call: { ...call, name: 'bad/name' } })]],
    ['of a function that was not declared', [executionAt(2, { call: { ...call, name: 'other' } })]],
    [
      'of a function that was declared and not selected',
      [executionAt(2, { call: { ...call, name: 'unselected' } })],
    ],
    ['with a list for arguments', [executionAt(2, { call: { ...call, arguments: [] } })]],
    ['with the id of an earlier one', [executionAt(2), executionAt(3, { call: other })]],
    ['of a call that was executed', [executionAt(2), executionAt(3, { executionId: 'e2' })]],
  ])('%s are invalid', (_, events) => {
    expect(verdict([started, ...events])).toBe('INVALID_STREAM')
  })

  test('an id of 256 code units is taken', () => {
    expect(verdict([started, executionAt(2, { executionId: '𝄞'.repeat(128) })])).toBe('ok')
  })

  test('more than 2,048 of one run are invalid', () => {
    const events = Array.from({ length: 2_049 }, (_, index) =>
      executionAt(index + 2, { executionId: `e${index}`, call: { ...call, id: `c${index}` } }),
    )
    expect(verdict([started, ...events.slice(0, 2_048)])).toBe('ok')
    expect(verdict([started, ...events])).toBe('INVALID_STREAM')
  })

  test('an execution that was not asked for is not supported, optional or not', () => {
    const { applicationTools: _, approvals: __, ...plain } = request
    expect(verdict([started, { ...executionAt(2), optional: true }], { request: plain })).toBe(
      'UNSUPPORTED_EVENT',
    )
    expect(verdict([started, { ...approvalAt(2), optional: true }], { request: plain })).toBe(
      'UNSUPPORTED_EVENT',
    )
  })
})

describe('events', () => {
  test('approvals carry the run and the policy that was asked for', () => {
    expect(verdict([started, approvalAt(2, { runId: 'r2' })])).toBe('INVALID_STREAM')
    expect(verdict([started, approvalAt(2, { idlePolicy: 'continue' })])).toBe('INVALID_STREAM')
    expect(verdict([started, approvalAt(2, { requestedAt: 'yesterday' })])).toBe('INVALID_STREAM')
  })

  test('of an unknown type are skipped only if they say that they are optional, and count [application-tools/wire-optional-events]', () => {
    const unknown = event('tool.dreamt', 2, { optional: true })
    expect(verdict([started, unknown, resultAt(3)])).toBe('ok')
    expect(verdict([started, unknown, resultAt(2)])).toBe('INVALID_STREAM')
    expect(verdict([started, event('tool.dreamt', 2)])).toBe('UNSUPPORTED_EVENT')
    expect(verdict([started, event('tool.dreamt', 2, { optional: false })])).toBe('UNSUPPORTED_EVENT')
    expect(verdict([started, event('tool.dreamt', 2, { optional: 'true' })])).toBe('INVALID_STREAM')
    expect(verdict([started, event('toString', 2, { optional: true })])).toBe('ok')
  })

  test('of a known type are never skipped, and may have keys that are not known yet', () => {
    expect(verdict([started, event('text.delta', 2, { text: 5, optional: true })])).toBe('INVALID_STREAM')
    expect(verdict([started, event('text.delta', 2, { text: 'a', mood: 'good' })])).toBe('ok')
  })

  test.each([
    ['null', null],
    ['a bad timestamp', { ...started, timestamp: '2026-13-01T00:00:00Z' }],
    ['a timestamp without a zone', { ...started, timestamp: '2026-01-01T00:00:00' }],
    ['a fraction of a sequence', { ...started, sequence: 1.5 }],
    ['no run', { ...started, runId: undefined }],
  ])('with %s are invalid', (_, one) => {
    expect(verdict([one])).toBe('INVALID_STREAM')
  })

  test.each([{ inputTokens: -1 }, { inputTokens: null }, { outputTokens: 'many' }, null])(
    'with the usage %j are invalid',
    (usage) => {
      expect(verdict([started, event('usage.reported', 2, { step: 1, usage })])).toBe('INVALID_STREAM')
      expect(verdict([started, resultAt(2, { usage })])).toBe('INVALID_STREAM')
    },
  )

  test.each(['{', '{"type":"run.started","type":"run.started"}', ''])(
    'with the data %j are invalid',
    (data) => {
      const check = new RunStreamCheck({ request })
      expect(() => check.accept({ data })).toThrow(expect.objectContaining({ code: 'INVALID_STREAM' }))
    },
  )
})
