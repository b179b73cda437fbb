import { expect, test } from 'vitest'
import * as z from 'zod'
import { definitionOf } from '../../src/agent/children/known-agents.ts'
import { fingerprintOf } from '../../src/agent/fingerprint.ts'
import { changeBetween, changeSentences, type Fingerprint } from '../../src/core/fingerprint.ts'
import { agent, scriptedModel, tool } from '../../src/index.ts'

function printOf(over: object = {}): Fingerprint {
  const q = tool({
    name: 'q',
    description: 'Asks',
    toolClass: 'read',
    schema: z.object({ a: z.string() }),
    yieldSchema: z.object({ b: z.string() }),
    ...over,
  })
  return fingerprintOf(definitionOf(agent({ name: 'clerk', model: scriptedModel([]), tools: [q] })))
}

test.each([
  [{ description: 'Asks more' }, ['description']],
  [{ schema: z.object({ a: z.number() }) }, ['arguments']],
  [{ toolClass: 'write' }, ['class']],
  [{ toolClass: () => 'write' }, ['class']],
  [{ yieldSchema: z.object({ b: z.number() }) }, ['answer']],
  [{ description: 'Asks more', toolClass: 'write' }, ['description', 'class']],
] as const)('a change of %o is named as that of %j', (over, parts) => {
  const change = changeBetween(printOf(), printOf(over))
  expect(change).toMatchObject({ changed: ['q'], changedParts: { q: parts } })
})

test('the sentence says which parts of which tool changed', () => {
  const change = changeBetween(printOf(), printOf({ toolClass: 'write', yieldSchema: z.string() }))
  expect(changeSentences(change)).toEqual(['of the tool "q" changed: class, schema of the answer'])
})

test('a log that was written before parts were says as much as it holds', () => {
  const { parts: _parts, ...before } = printOf()
  const change = changeBetween(before, printOf({ toolClass: 'write' }))
  expect(change).toMatchObject({ changed: ['q'], changedParts: {} })
  expect(changeSentences(change)).toEqual(['description, schema or class of tools changed: "q"'])
  expect(changeBetween(before, printOf())).toMatchObject({ changed: [], unnamed: false })
})
