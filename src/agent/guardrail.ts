import { ToolpostError } from '../core/error.ts'
import { named } from '../core/json/named.ts'
import { HookStop } from './hook-stop.ts'
import type {
  EndedRunContext,
  HookPlace,
  Hooks,
  ModelHookAnswer,
  OrNothing,
  RunHookContext,
} from './hooks.ts'

/** Nothing (`undefined` or `null`) lets pass; a text is the reason why not. */
export type GuardrailVerdict = OrNothing<string>

/** Guards what a user says. */
export interface InputGuardrail {
  readonly name: string
  readonly check: (input: RunHookContext) => GuardrailVerdict
  /** True: the model is asked meanwhile, and its answer waits for the verdict. Default false: nothing is done before. */
  readonly parallel?: boolean
}

/** Guards what the model answers. */
export interface OutputGuardrail {
  readonly name: string
  readonly check: (answer: ModelHookAnswer) => GuardrailVerdict
}

/**
 * A hook that ends the run as `refused` when its check gives a reason: before the model is asked, or, `parallel`, before
 * anything of its first answer is shown, written down or run. A check that throws ends it as `failed`.
 * Errors: INVALID_ARGUMENT.
 */
export function inputGuardrail(guardrail: InputGuardrail): Hooks {
  requireGuardrail(guardrail, ['name', 'check', 'parallel'])
  const { name, check, parallel = false } = guardrail
  if (!parallel)
    return Object.freeze({
      name,
      beforeRun: async (context: RunHookContext) => refuseFor(name, await check(context)),
    })
  const checks = new Map<string, Promise<unknown>>()
  return Object.freeze({
    name,
    beforeRun: (context: RunHookContext) => {
      const running = (async () => await check(context))()
      // It is looked at when the model has answered; until then a throw is nobody's.
      running.catch(() => undefined)
      checks.set(keyOf(context), running)
    },
    afterModel: async (answer: ModelHookAnswer) => {
      const running = checks.get(keyOf(answer))
      checks.delete(keyOf(answer))
      return refuseFor(name, await running)
    },
    afterRun: (context: EndedRunContext) => void checks.delete(keyOf(context)),
  })
}

function keyOf({ session, run }: HookPlace): string {
  return JSON.stringify([session.id, run])
}

/**
 * A hook that ends the run as `refused` when its check gives a reason: before anything of the answer is shown, written
 * down or run. A check that throws ends it as `failed`. Errors: INVALID_ARGUMENT.
 */
export function outputGuardrail(guardrail: OutputGuardrail): Hooks {
  requireGuardrail(guardrail, ['name', 'check'])
  const { name, check } = guardrail
  return Object.freeze({
    name,
    afterModel: async (answer: ModelHookAnswer) => refuseFor(name, await check(answer)),
  })
}

function refuseFor(name: string, verdict: unknown): undefined {
  if (verdict === undefined || verdict === null) return undefined
  if (typeof verdict !== 'string') throw new Error('its check gave something else than a reason or nothing.')
  const why = verdict === '' ? 'no reason was given.' : verdict
  throw new HookStop('refused', `The guardrail "${name}" stopped the run: ${why}`)
}

function requireGuardrail(given: unknown, keys: readonly string[]): void {
  const { name, check, parallel = false } = (given ?? {}) as Record<string, unknown>
  const unknown = Object.keys(given ?? {}).find((key) => !keys.includes(key))
  const takes = `a guardrail takes { ${keys.join(', ')} } and nothing else.`
  if (unknown !== undefined) refuse(`A guardrail has no ${named(unknown)}; ${takes}`)
  if (typeof name !== 'string' || name === '') refuse(`A guardrail needs a "name"; ${takes}`)
  if (typeof check !== 'function')
    refuse(`The guardrail ${named(name)} needs a "check", a function; ${takes}`)
  if (typeof parallel !== 'boolean') refuse(`"parallel" of the guardrail ${named(name)} is true or false.`)
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}
