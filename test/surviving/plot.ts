import fc from 'fast-check'
import type { ApprovalDecision, EventType, ToolMode } from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'

/** What the handler, or somebody from outside, does with one ask. */
export type Answer = ApprovalDecision | 'throw' | 'suspend' | 'nonsense'

/** Everything that makes one random session what it is. */
export interface Plot {
  readonly mode: ToolMode | undefined
  readonly laterMode: ToolMode | undefined
  readonly onUncertain: 'tell' | 'pause' | 'fail'
  /** The model's answers of the first run, and of the second. */
  readonly runs: readonly (readonly ScriptStep[])[]
  readonly answers: readonly Answer[]
  /** The first process dies when an event of this kind is written. */
  readonly crash: { readonly type: EventType; readonly when: 'before' | 'after' } | undefined
  readonly found: 'completed' | 'failed' | 'not_run'
  /** Milliseconds after which the first run is stopped. */
  readonly stopAfterMs: number | undefined
}

const names = ['look', 'pay', 'mail', 'fail', 'never', 'again', 'large', 'guarded', 'end', 'nowhere']

const call = fc.record({
  name: fc.constantFrom(...names),
  args: fc.oneof(
    { weight: 8, arbitrary: fc.record({ n: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.constant({ n: 'wrong' }) },
  ),
  id: fc.oneof(
    fc.constant('same'),
    fc.nat(99).map((n) => `model-${n}`),
  ),
})

const step: fc.Arbitrary<ScriptStep> = fc.oneof(
  { weight: 8, arbitrary: fc.array(call, { minLength: 1, maxLength: 4 }).map((calls) => ({ calls })) },
  { weight: 1, arbitrary: fc.constant({ text: 'enough' }) },
  {
    weight: 1,
    arbitrary: fc.array(call, { maxLength: 2 }).map((calls) => ({ calls, finish: 'length' as const })),
  },
  { weight: 1, arbitrary: fc.constant({ text: 'half', breakOff: true as const }) },
  { weight: 1, arbitrary: fc.constant({ text: 'words', usage: { inputTokens: 3, outputTokens: 4 } }) },
)

const answer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ approved: true }) },
  { weight: 1, arbitrary: fc.constant({ approved: true, scope: 'session' as const }) },
  { weight: 1, arbitrary: fc.constant({ approved: true, editedArgs: { n: 7 } }) },
  { weight: 1, arbitrary: fc.constant({ approved: false, reason: 'no' }) },
  { weight: 1, arbitrary: fc.constant({ approved: false, scope: 'session' as const }) },
  { weight: 2, arbitrary: fc.constantFrom('throw' as const, 'suspend' as const, 'nonsense' as const) },
)

const crashes: readonly EventType[] = [
  'run.started',
  'message.added',
  'call.proposed',
  'approval.requested',
  'approval.decided',
  'call.started',
  'call.completed',
  'call.failed',
  'run.ended',
]

const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const mode = fc.constantFrom<ToolMode>('read_only', 'ask', 'auto', 'ask', 'auto')

/** Sessions of all kinds: modes, scripts, answers, a crash, a stop, and what is found out afterwards. */
export const plots: fc.Arbitrary<Plot> = fc.record({
  mode: sometimes(mode),
  laterMode: sometimes(fc.constantFrom<ToolMode>('off', 'read_only', 'ask', 'auto')),
  onUncertain: fc.constantFrom('tell' as const, 'pause' as const, 'fail' as const),
  runs: fc.array(fc.array(step, { maxLength: 3 }), { minLength: 1, maxLength: 2 }),
  answers: fc.array(answer, { minLength: 1, maxLength: 6 }),
  crash: sometimes(
    fc.record({
      type: fc.constantFrom(...crashes),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  ),
  found: fc.constantFrom('completed' as const, 'failed' as const, 'not_run' as const),
  stopAfterMs: fc.option(fc.constantFrom(0, 500, 5_000), { nil: undefined, freq: 5 }),
})
