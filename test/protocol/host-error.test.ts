import { expect, test } from 'vitest'
import { errorBody } from '../../src/protocol/error-body.ts'
import { isWireErrorCode, wireErrors } from '../../src/protocol/errors.ts'
import { errorBodyOf, HostError, hostErrorOf, isHostError } from '../../src/protocol/host-error.ts'
import { parseBody } from '../../src/protocol/parse-body.ts'

test('each code has a status of HTTP and a full sentence', () => {
  const wrong = Object.entries(wireErrors).filter(
    ([code, { status, meaning }]) =>
      !/^[A-Z]+(_[A-Z]+)*$/.test(code) || status < 400 || status > 599 || !meaning.endsWith('.'),
  )
  expect(wrong).toEqual([])
  expect([isWireErrorCode('BUSY'), isWireErrorCode('toString')]).toEqual([true, false])
})

test('what a caller or a model got wrong has a status below 500 [application-tools/wire-client-mistakes]', () => {
  const mistakes = [
    ...['INVALID_REQUEST', 'INVALID_TOOL_CALL', 'INVALID_TOOL_ARGUMENTS', 'TOOL_NOT_ALLOWED', 'TOOL_LIMIT'],
    ...['STEP_LIMIT', 'INVALID_OUTPUT', 'APPROVAL_EXPIRED', 'CANCELLED', 'SESSION_DELETED'],
  ] as const
  expect(mistakes.filter((code) => wireErrors[code as keyof typeof wireErrors].status >= 500)).toEqual([])
})

test('an error takes from the table what nobody says, and is the same on the other side', () => {
  const error = new HostError('BUSY', undefined, { cause: new Error('secret') })
  expect([error.status, error.retryable, error.message]).toEqual([429, true, wireErrors.BUSY.meaning])
  const body = errorBodyOf(error)
  expect(parseBody(errorBody, body)).toEqual({ ok: true, value: body })
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(hostErrorOf(body.error)).toEqual(new HostError('BUSY'))
})

test('an uncertain outcome travels, and a code that is not known keeps what it came with', () => {
  const error = new HostError('TOOL_OUTCOME_UNCERTAIN', 'Look first.', { outcome: 'uncertain' })
  expect(hostErrorOf(errorBodyOf(error).error).outcome).toBe('uncertain')
  expect('outcome' in errorBodyOf(new HostError('BUSY')).error).toBe(false)
  const unknown = hostErrorOf({ code: 'MOON_FULL', message: 'Wait.', retryable: true }, 503)
  expect([unknown.code, unknown.status, unknown.retryable]).toEqual(['MOON_FULL', 503, true])
})

test('an error is known by its mark, in whatever copy of the package it was made', () => {
  expect(isHostError(new HostError('BUSY'))).toBe(true)
  expect(isHostError(Object.assign(new Error('x'), { code: 'BUSY' }))).toBe(false)
  expect(
    isHostError(
      new Proxy(
        {},
        {
          has: () => {
            throw new Error('no')
          },
        },
      ),
    ),
  ).toBe(false)
})
