import {
  type ExecutableCall,
  type ExecutionContext,
  type Reconciliation,
  type Tool,
  tool,
} from '../src/index.ts'
import { Dice, seedOf } from './dice.ts'
import type { Evidence } from './evidence.ts'
import type { KillPoints } from './kill-points.ts'

/** What may become of a call whose process was killed between claim and outcome. */
export type AfterKill =
  /** Nobody can know. */
  | 'uncertain'
  /** Its effect can be looked up. */
  | 'looked up'
  /** Its effect can be looked up at times. */
  | 'looked up at times'
  /** It runs again. */
  | 'again'

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const

const kinds = {
  look: { toolClass: 'read', parallel: true, afterKill: 'again' },
  peek: { toolClass: 'sensitive', parallel: false, afterKill: 'again' },
  put: { toolClass: 'write', parallel: false, afterKill: 'uncertain' },
  post: { toolClass: 'write', parallel: true, afterKill: 'uncertain', dedupe: 'run' },
  tidy: { toolClass: 'write', parallel: true, afterKill: 'again', repeatable: true },
  order: { toolClass: 'write', parallel: true, afterKill: 'looked up' },
  mail: { toolClass: 'external', parallel: true, afterKill: 'uncertain' },
  charge: { toolClass: 'external', parallel: false, afterKill: 'looked up' },
  ship: { toolClass: 'external', parallel: true, afterKill: 'looked up at times' },
  wipe: { toolClass: 'destructive', parallel: false, afterKill: 'uncertain' },
} as const satisfies Record<string, Kind>

interface Kind {
  readonly toolClass: NonNullable<Tool['toolClass']>
  readonly parallel: boolean
  readonly afterKill: AfterKill
  readonly repeatable?: true
  readonly dedupe?: 'run'
}

/** The tools that scripts call. */
export const toolNames = Object.keys(kinds) as readonly (keyof typeof kinds)[]

/** What becomes of a call of this tool when its process is killed. */
export function afterKillOf(name: string): AfterKill {
  return (kinds as Readonly<Record<string, Kind>>)[name]?.afterKill ?? 'uncertain'
}

/** What the tools of a worker are made of. */
export interface ToolParts {
  readonly evidence: Evidence
  readonly points: KillPoints
  readonly seed: number
  /** Turns of the event loop that a tool takes before and after its effect, at most. */
  readonly turnsMax: number
}

/** Tools whose effect is a line of the witness, with points around it. */
export function chaosTools(parts: ToolParts): readonly Tool[] {
  return toolNames.map((name) => {
    const { afterKill, ...options } = kinds[name] as Kind
    const declared = tool({
      name,
      description: `Do what "${name}" does`,
      schema,
      ...options,
      execute: () => 'done',
      ...(afterKill.startsWith('looked up') ? { reconcile: () => ({ found: 'unknown' as const }) } : {}),
    })
    const { reconcile } = declared.executor
    return Object.freeze({
      ...declared,
      executor: {
        execute: (call: ExecutableCall, context: ExecutionContext) => takeEffect(parts, call, context),
        ...(reconcile === undefined
          ? {}
          : { reconcile: (call: ExecutableCall) => lookUp(parts, call, afterKill) }),
      },
    } satisfies Tool)
  })
}

/** The effect of a call: a line of the witness, with points around it. */
export async function takeEffect(
  parts: ToolParts,
  call: ExecutableCall,
  context: Pick<ExecutionContext, 'idempotencyKey' | 'session'>,
) {
  const { evidence, points, seed, turnsMax } = parts
  const { id, name, claim, args, input } = call
  const given = input === undefined ? {} : { input }
  const dice = new Dice(seedOf(seed, id, claim))
  await turns(dice.whole(0, turnsMax))
  points.pass('before effect', name, { call: id, claim })
  const { idempotencyKey: key, session } = context
  evidence.add('effects', { call: id, claim, key, tool: name, args, session: session.id, ...given })
  points.pass('after effect', name, { call: id, claim })
  await turns(dice.whole(0, turnsMax))
  return { status: 'completed', value: `${name} done` } as const
}

/** Looks for the call's own line in the witness; every process that could write one has ended. */
async function lookUp(
  { evidence, points, seed }: ToolParts,
  call: ExecutableCall,
  afterKill: AfterKill,
): Promise<Reconciliation> {
  const { id, name, claim } = call
  points.pass('in reconcile', name, { call: id, claim })
  if (afterKill === 'looked up at times' && new Dice(seedOf(seed, 'look', id)).chance(0.5))
    return { found: 'unknown' }
  const tookPlace = evidence.read('effects').some((line) => line.call === id)
  return tookPlace ? { found: 'completed', value: `${name} done before` } : { found: 'not_run' }
}

/** Lets that many turns of the event loop go by, so that calls overlap in ever other ways. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}
