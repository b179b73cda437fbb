import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isToolpostError } from '../../../src/core/error.ts'
import { providerNames } from '../../../src/core/lint/provider-names.ts'
import { someNames } from './some-names.ts'

const taken = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

function hash(name: string, digits: number): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('hex').slice(0, digits)
}

function codeOf(act: () => unknown): unknown {
  try {
    act()
  } catch (thrown) {
    return isToolpostError(thrown) ? thrown.code : thrown
  }
  return 'nothing thrown'
}

describe('the names that a model is shown', () => {
  test('lead back to every tool, are all different, and fit every provider [faults/F22]', () => {
    fc.assert(
      fc.property(someNames, (names) => {
        const { toModel, fromModel } = providerNames(names)
        const sent = names.map(toModel)
        expect(sent.filter((name) => !taken.test(name))).toEqual([])
        expect(new Set(sent).size).toBe(names.length)
        expect(sent.map(fromModel)).toEqual(names)
      }),
    )
  })

  test('do not depend on the order of the tools', () => {
    fc.assert(
      fc.property(
        someNames.chain((names) =>
          fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })),
        ),
        ([names, shuffled]) => {
          const [one, other] = [providerNames(names), providerNames(shuffled)]
          expect(names.map(other.toModel)).toEqual(names.map(one.toModel))
        },
      ),
    )
  })

  test("are the tools' own where they fit", () => {
    const names = ['look', 'Look', '_x-1', 'a'.repeat(64)]
    expect(names.map(providerNames(names).toModel)).toEqual(names)
  })

  test('are else a readable beginning and a hash of the whole name', () => {
    const long = `${'files.'.repeat(20)}read`
    const names = ['mail.send', '7zip', '', 'größe', long]
    expect(names.map(providerNames(names).toModel)).toEqual([
      `mail_send_${hash('mail.send', 8)}`,
      `_7zip_${hash('7zip', 8)}`,
      `__${hash('', 8)}`,
      `gr__e_${hash('größe', 8)}`,
      `${'files_'.repeat(10).slice(0, 55)}_${hash(long, 8)}`,
    ])
  })

  test('of two tools that are equal when cut differ in their hashes [faults/F21]', () => {
    const names = [`${'a'.repeat(199)}b`, `${'a'.repeat(199)}c`]
    const sent = names.map(providerNames(names).toModel)
    expect(sent.map((name) => name.slice(0, 56))).toEqual([`${'a'.repeat(55)}_`, `${'a'.repeat(55)}_`])
    expect(sent[0]).not.toBe(sent[1])
  })

  test('give way to a tool that bears a short form as its own name [faults/F21]', () => {
    const names = ['mail.send', `mail_send_${hash('mail.send', 8)}`, `mail_send_${hash('mail.send', 16)}`]
    const { toModel, fromModel } = providerNames(names)
    expect(names.map(toModel)).toEqual([`mail_send_${hash('mail.send', 32)}`, ...names.slice(1)])
    expect(fromModel(names[1]!)).toBe(names[1])
  })

  test('that cannot be told apart are an error that names both [faults/F21]', () => {
    const names = ['mail.send', ...[8, 16, 32].map((digits) => `mail_send_${hash('mail.send', digits)}`)]
    expect(() => providerNames(names)).toThrow(`"mail.send" and ${JSON.stringify(names[3])}`)
    expect(codeOf(() => providerNames(names))).toBe('INVALID_ARGUMENT')
  })

  test('follow other rules when they are given', () => {
    const names = ['mail.send', 'a'.repeat(40)]
    const { toModel } = providerNames(names, {
      lengthMax: 32,
      alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789_.',
    })
    expect(names.map(toModel)).toEqual(['mail.send', `${'a'.repeat(23)}_${hash('a'.repeat(40), 8)}`])
    expect(codeOf(() => providerNames(names, { lengthMax: 15 }))).toBe('INVALID_ARGUMENT')
  })

  test('are known for the tools of the set only', () => {
    const { toModel, fromModel } = providerNames(['mail.send'])
    expect(codeOf(() => toModel('mail.read'))).toBe('INVALID_ARGUMENT')
    expect(fromModel('constructor')).toBeUndefined()
    expect(fromModel('mail.send')).toBeUndefined()
  })
})
