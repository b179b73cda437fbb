import type { RecordedDecision } from '../core/event.ts'
import type { Grant } from '../core/grant.ts'
import type { JsonValue } from '../core/json/value.ts'
import { messageOf } from '../core/message-of.ts'
import { parentFacts } from '../core/policy/bounds.ts'
import { isToolClass } from '../core/policy/class.ts'
import { type Decision, evaluate } from '../core/policy/evaluate.ts'
import type { PolicyFacts } from '../core/policy/facts.ts'
import { evaluateOffer } from '../core/policy/offer.ts'
import type { Tool } from '../core/tool/tool.ts'
import { toolContext } from '../core/tool/tool-context.ts'
import { leave } from './race.ts'
import { runSideFunction } from './side-function.ts'
import { surroundings } from './surroundings.ts'
import type { PolicyLayers, Task } from './task.ts'

/** What is known of a tool before any call of it. */
export function toolFacts(tool: Tool): PolicyFacts['tool'] {
  return {
    name: tool.name,
    version: tool.version,
    source: tool.source,
    developer: tool.source.kind === 'function',
    ...(tool.toolClass === undefined ? {} : { declaredClass: tool.toolClass }),
    ...(tool.remember === undefined ? {} : { remember: tool.remember }),
    ...(tool.review === undefined ? {} : { review: tool.review }),
  }
}

/** An administrator's lists are about the application's tools; the runtime's own stand or fall with the session's mode. */
function layersFor(tool: Tool, layers: PolicyLayers): PolicyLayers {
  if (tool.source.kind !== 'runtime') return layers
  const { contract: _contract, profile, grant, ...rest } = layers
  return {
    ...rest,
    ...(profile?.modeMax === undefined ? {} : { profile: { modeMax: profile.modeMax } }),
    ...(grant === undefined ? {} : { grant: withoutTools(grant) }),
  }
}

function withoutTools({ tools: _tools, ...grant }: Grant): Grant {
  return grant
}

/** The facts that hold for every call of a run, with the tool's own. */
export function factsOf(task: Task, tool: Tool): PolicyFacts {
  const own = { ...toolFacts(tool), ...(tool.classOf === undefined ? {} : { classByArguments: true }) }
  return runFacts(task, own, layersFor(tool, task.layers()))
}

/** The facts of a run with those of one tool, under the layers that hold for it. */
export function runFacts(task: Task, tool: PolicyFacts['tool'], given: PolicyLayers): PolicyFacts {
  const { journal, mode, parts } = task
  return {
    audience: task.agent,
    ...(task.journal.state.subject === '' ? {} : { principal: task.journal.state.subject }),
    ...given,
    governed: given.governed || mode !== undefined,
    tool,
    ...(mode === undefined ? {} : { mode }),
    now: parts.clock.now(),
    remembered: journal.state.remembered,
  }
}

/** Decides about a tool before its arguments are looked at: what is denied here is not even parsed. */
export function judgeTool(task: Task, tool: Tool): Decision {
  return evaluateOffer(bounded(task, factsOf(task, tool)))
}

/** The same under what the agents above allow: a child is never freer than they are. */
export function bounded(task: Task, facts: PolicyFacts): PolicyFacts {
  return task.bounds === undefined ? facts : { ...facts, parent: parentFacts(task.bounds(), facts) }
}

/** The facts of one call that need a look at its arguments; gathered once for each set of arguments. */
export interface CallFacts {
  readonly callClass?: PolicyFacts['tool']['callClass']
  readonly check?: PolicyFacts['check']
}

/** Asks the tool about these arguments: their class, and its own check. A throw or a wrong answer is the strictest. */
export async function gatherFacts(task: Task, tool: Tool, call: string, value: unknown): Promise<CallFacts> {
  return { ...classFacts(tool, value), ...(await checkFacts(task, tool, call, value)) }
}

function classFacts(tool: Tool, value: unknown): CallFacts {
  if (tool.classOf === undefined) return {}
  try {
    const answer = tool.classOf(value)
    if (isToolClass(answer)) return { callClass: answer }
    leave(answer)
    return { callClass: 'destructive' }
  } catch {
    return { callClass: 'destructive' }
  }
}

async function checkFacts(task: Task, tool: Tool, call: string, value: unknown): Promise<CallFacts> {
  if (tool.check === undefined) return {}
  const execute = { id: call, name: tool.name, claim: 0, args: value, digest: '' }
  const result = await runSideFunction(task, `The check of "${tool.name}"`, (signal) =>
    tool.check?.(value, toolContext(execute, surroundings(task, call, signal, 1))),
  )
  if ('fault' in result) return { check: { failed: result.fault } }
  return result.value === undefined ? {} : { check: checkAnswer(result.value) }
}

function checkAnswer(value: unknown): NonNullable<CallFacts['check']> {
  const verdicts: readonly unknown[] = ['run', 'ask', 'deny']
  if (verdicts.includes(value)) return { verdict: value as 'run' }
  try {
    const { verdict, reason } = value as { verdict: unknown; reason: unknown }
    if (!verdicts.includes(verdict)) return { failed: 'The check answered with no verdict.' }
    return { verdict: verdict as 'run', ...(isText(reason) ? { reason: messageOf(reason) } : {}) }
  } catch (error) {
    return { failed: messageOf(error) }
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** The one gate: the verdict about a call, over all layers, on the newest facts. */
export function judgeCall(
  task: Task,
  tool: Tool,
  call: { readonly args: JsonValue; readonly digest: string },
  facts: CallFacts,
): Decision {
  const base = factsOf(task, tool)
  const { callClass, check } = facts
  return evaluate(
    bounded(task, {
      ...base,
      tool: callClass === undefined ? base.tool : { ...base.tool, callClass },
      call,
      ...(check === undefined ? {} : { check }),
    }),
  )
}

/** The decision as the log keeps it. */
export function recorded(decision: Decision): RecordedDecision {
  const { verdict, reason, trace } = decision
  return { verdict, reason, trace }
}
