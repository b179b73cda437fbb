import type { Agent } from '../agent/agent.ts'
import { atMostAtOnce } from './at-most-at-once.ts'
import { checkEvaluation } from './check-evaluation.ts'
import { evaluateCase } from './evaluate-case.ts'
import type {
  EvaluatedCase,
  EvaluateOptions,
  EvaluationCase,
  EvaluationReport,
  EvaluationRun,
} from './evaluation.ts'

const concurrencyDefault = 4

/**
 * Runs a set of cases against an agent with its own model, and reports which of them it manages. Each run has a
 * session and a store in memory of its own; the agent is not changed.
 *
 * A run passes when it ends as expected, makes the expected calls, `expect` does not object, and the judge's score is
 * high enough; a case passes when all of its runs do. A model that fails is a reason not to pass, and no throw.
 *
 * Errors: INVALID_ARGUMENT, before anything runs, for cases and options that do not hold, and for tools that do more
 * than read when they have no stand-in in `results` and effects are not allowed.
 *
 * @example
 * const report = await evaluate(shopkeeper, [
 *   { name: 'looks before it promises', input: 'Can I have 3 of ADK-1?', expectedCalls: ['check_stock'] },
 * ])
 * console.log(formatReport(report))
 */
export async function evaluate(
  agent: Agent,
  cases: readonly EvaluationCase[],
  options: EvaluateOptions = {},
): Promise<EvaluationReport> {
  checkEvaluation(agent, cases, options)
  const { repeat = 1, concurrency = concurrencyDefault } = options
  const planned = cases.flatMap((testCase) => Array<EvaluationCase>(repeat).fill(testCase))
  const runs = await atMostAtOnce(concurrency, planned, (testCase) => evaluateCase(agent, testCase, options))
  const evaluated = cases.map(({ name }, place) =>
    evaluatedCase(name, runs.slice(place * repeat, (place + 1) * repeat)),
  )
  const passed = evaluated.filter((each) => each.passed).length
  return { cases: evaluated, passed, failed: evaluated.length - passed }
}

function evaluatedCase(name: string, runs: readonly EvaluationRun[]): EvaluatedCase {
  const scores = runs.flatMap(({ judgement }) => (judgement === undefined ? [] : [judgement.score]))
  const reasons = runs.flatMap((run, place) =>
    run.reasons.map((reason) => (runs.length === 1 ? reason : `Run ${place + 1}: ${reason}`)),
  )
  return {
    name,
    passed: runs.every((run) => run.passed),
    runs,
    ...(scores.length === 0 ? {} : { score: scores.reduce((sum, score) => sum + score, 0) / scores.length }),
    reasons,
  }
}
