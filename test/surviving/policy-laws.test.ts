import fc from 'fast-check'
import { test } from 'vitest'
import { evaluate } from '../../src/core/policy/evaluate.ts'
import { policyLaws } from './laws/policy-laws.ts'

test.each(policyLaws)('the policy: $name', ({ given, holds }) => {
  fc.assert(
    fc.property(given, (values) => holds(evaluate, values)),
    { numRuns: 300 },
  )
})
