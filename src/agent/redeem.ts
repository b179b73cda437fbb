import { ToolpostError } from '../core/error.ts'
import type { Actor } from '../core/event.ts'
import { checkOptions } from '../core/known-keys.ts'
import { readActor } from '../core/read-actor.ts'
import type { Journal } from '../runtime/journal.ts'
import { type GivenResult, readGivenResult, redeemExecution } from '../runtime/redeem.ts'
import { closeIfOver } from '../runtime/run-over.ts'
import type { Definition } from './definition.ts'
import { agentOf, findAsk } from './find-ask.ts'
import { openScopes } from './session-values.ts'
import { toolHooks } from './tool-hooks.ts'

/** Who redeems a ticket, and by which name of his own the result is known when it is sent again. */
export interface RedeemedBy {
  readonly by: Actor
  readonly resultKey?: string
}

/**
 * Gives the outcome of a call that was handed out, wherever its session is.
 * Errors: INVALID_ARGUMENT for other options; else as `redeemExecution`.
 */
export async function redeem(
  definition: Definition,
  ticket: string,
  given: GivenResult,
  redeemed: RedeemedBy,
): Promise<void> {
  checkOptions(redeemed, ['by', 'resultKey'], 'agent.redeem()')
  const read = readGivenResult(given)
  const { journal } = await findAsk(definition, ticket)
  const own = agentOf(definition, journal.state) ?? definition
  await redeemIn({ definition: { ...own, parts: definition.parts }, journal }, ticket, read, redeemed)
}

/** The same in one session. */
export async function redeemIn(
  { definition, journal }: { readonly definition: Definition; readonly journal: Journal },
  ticket: string,
  given: GivenResult,
  { by, resultKey }: RedeemedBy,
): Promise<void> {
  if (resultKey !== undefined && (typeof resultKey !== 'string' || resultKey === ''))
    throw new ToolpostError('INVALID_ARGUMENT', '"resultKey" must be a text with something in it.')
  const { parts, catalog, results, name: agent, hooks } = definition
  await closeIfOver(parts, journal)
  const run = journal.state.tickets.get(ticket)?.run ?? ''
  const scopes = await openScopes({ definition, journal })
  await redeemExecution(
    {
      ...{ journal, catalog, parts, results, by: readActor(by), scopes },
      ...(resultKey === undefined ? {} : { resultKey }),
      ...toolHooks(hooks, { parts, journal, run, agent }),
    },
    ticket,
    given,
  )
}
