import type { ToolContext } from '../src/core/tool/context.ts'
import {
  type Agent,
  agentTool,
  type ExecutableCall,
  type ExecutionContext,
  type Tool,
  tool,
} from '../src/index.ts'
import { type ToolParts, takeEffect } from './chaos-tools.ts'
import { type Starter, starterTool } from './tree-plan.ts'
import { stampName, waitingKind, waitingKinds } from './tree-tool-kinds.ts'

const numberSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const

/** What is answered to a question. */
const answerSchema = {
  type: 'object',
  properties: { answer: { type: 'integer' } },
  required: ['answer'],
} as const

/** Tools that ask for an answer, and tools that put their call off. */
export function waitingTools(parts: ToolParts): readonly Tool[] {
  return Object.keys(waitingKinds).map((name) => waitingTool(parts, name))
}

function waitingTool(parts: ToolParts, name: string): Tool {
  const { toolClass, parallel, asks, askMs, isAnswered, isAnswer, putsOff } = waitingKind(name) ?? {}
  const options = {
    name,
    description: `Do what "${name}" does`,
    schema: numberSchema,
    ...(toolClass && { toolClass }),
  }
  const asking = {
    yieldSchema: answerSchema,
    ...(askMs === undefined ? {} : { yieldTimeout: askMs }),
    ...(isAnswered === true ? { yieldDefault: { answer: 0 } } : {}),
  }
  const declared = tool({
    ...options,
    ...(asks === true ? asking : {}),
    ...(parallel === true ? { parallel } : {}),
    ...(isAnswer === true ? {} : { execute: () => `${name} done` }),
  } as Parameters<typeof tool>[0])
  if (isAnswer === true) return declared
  return withEffect(parts, declared, ({ claim }, context) =>
    putsOff !== undefined && claim <= putsOff.times
      ? { status: 'resting', on: [], until: context.now() + putsOff.ms }
      : undefined,
  )
}

/** The tool by which an agent starts what is below it. */
export function starterOf(parts: ToolParts, starter: Starter, below: readonly Agent[]): Tool {
  const { by, isBeside } = starter
  const name = starterTool(starter)
  const description = `Start what is below`
  if (by === 'call') return agentTool(below[0] as Agent, { name, description, parallel: isBeside })
  const start = async ({ n }: { n: number }, context: ToolContext) => {
    const input = String(n)
    if (isBeside) return said(await Promise.all(below.map((each) => context.run(each, { input }))))
    const results = []
    for (const each of below) results.push(await context.run(each, { input }))
    return said(results)
  }
  const toolClass = by === 'run' ? 'read' : 'write'
  const declared = tool({ name, description, schema: numberSchema, toolClass, execute: start as never })
  return withEffect(parts, declared)
}

function said(results: readonly { readonly status: string; readonly text: string }[]): string {
  return results.map(({ status, text }) => `${status}: ${text}`).join('; ')
}

/** The part of a flow that acts; it has one claim at most. */
export function stampPart(parts: ToolParts) {
  const execute = async (input: string, context: ToolContext) => {
    const { callId: id, toolName: name, idempotencyKey, session } = context
    const call = { id, name, claim: 1, args: { input }, digest: '' }
    await takeEffect(parts, call, { idempotencyKey, session })
    return `stamped: ${input}`
  }
  return { name: stampName, execute, toolClass: 'external' } as const
}

type Instead = (
  call: ExecutableCall,
  context: ExecutionContext,
) => Awaited<ReturnType<Tool['executor']['execute']>> | undefined

/** A tool whose effect follows its function, when that has come to its end. */
function withEffect(parts: ToolParts, declared: Tool, instead: Instead = () => undefined): Tool {
  const execute = async (call: ExecutableCall, context: ExecutionContext) => {
    const given = instead(call, context) ?? (await declared.executor.execute(call, context))
    if (given.status === 'completed') await takeEffect(parts, call, context)
    return given
  }
  return Object.freeze({ ...declared, executor: { execute } })
}
