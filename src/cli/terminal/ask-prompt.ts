import type { ApprovalRequest } from '../../agent/approval-request.ts'
import type { Explanation } from '../../agent/explain-call.ts'
import type { ApprovalDecision } from '../../core/decision.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { askCard } from './ask-card.ts'
import { editArguments } from './edit-arguments.ts'
import { aside, held } from './held.ts'
import { inertLine } from './inert-text.ts'
import type { Output } from './output.ts'
import { askText, type Choice, choose } from './prompt.ts'

/** Checks and judges arguments without running anything. */
export type Explain = (tool: string, args: JsonValue) => Promise<Explanation>

/** What a prompt needs from its surroundings. */
export interface AskPrompt {
  readonly output: Output
  readonly explain: Explain
}

type Action = 'once' | 'session' | 'edit' | 'deny' | 'full' | 'leave'

/**
 * Shows an ask in the terminal until a person has answered it. `leave`: they pressed Ctrl-C, or want it left open.
 * Undefined when the signal aborted: nobody wants the answer any more.
 */
export async function promptForDecision(
  request: ApprovalRequest,
  { output, explain }: AskPrompt,
  signal: AbortSignal,
): Promise<ApprovalDecision | 'leave' | undefined> {
  let card = show(request, output, false)
  for (;;) {
    const action = await held(output, () =>
      choose(question(request), choices(request, card.isFolded), signal),
    )
    if (signal.aborted) return undefined
    if (action === undefined || action === 'leave') return 'leave'
    if (action === 'full') card = show(request, output, true)
    else {
      const decision = await decisionOf(action, request, { output, explain }, signal)
      if (signal.aborted) return undefined
      if (decision !== undefined) return decision
    }
  }
}

/** The decision that an action leads to; undefined when the person went back. */
async function decisionOf(
  action: Exclude<Action, 'full' | 'leave'>,
  request: ApprovalRequest,
  prompt: AskPrompt,
  signal: AbortSignal,
): Promise<ApprovalDecision | undefined> {
  const { argsDigest: digest } = request
  switch (action) {
    case 'once':
      return { approved: true, digest }
    case 'session':
      return { approved: true, scope: 'session', digest }
    case 'deny': {
      const question = { message: 'Why not? The model is told.', placeholder: 'a reason, or nothing' }
      const reason = await held(prompt.output, () => askText(question, signal))
      return reason === undefined
        ? undefined
        : { approved: false, digest, ...(reason === '' ? {} : { reason }) }
    }
    case 'edit': {
      const editedArgs = await edited(request, prompt, signal)
      return editedArgs === undefined ? undefined : { approved: true, editedArgs, digest }
    }
  }
}

async function edited(
  request: ApprovalRequest,
  { output, explain }: AskPrompt,
  signal: AbortSignal,
): Promise<JsonValue | undefined> {
  const { name } = request.tool
  const say = (line: string) => aside(output, output.style('yellow', `  ${line}`))
  const editing = { args: request.args, say, signal, explain: (args: JsonValue) => explain(name, args) }
  const args = await held(output, () => editArguments(editing))
  if (args === undefined || !(await isConfirmed(request, args, output, signal))) return undefined
  return args
}

function question({ tool }: ApprovalRequest): string {
  return `Shall ${inertLine(tool.name)} run?`
}

/** For what cannot be undone, the safe answer stands first: the one that a hasty Enter gives. */
function choices({ tool, allowed }: ApprovalRequest, isFolded: boolean): readonly Choice<Action>[] {
  const allow: Choice<Action>[] = [
    { value: 'once', label: 'Allow once' },
    ...(allowed.session
      ? [
          {
            value: 'session' as const,
            label: `Allow ${inertLine(tool.name)} for this session`,
            hint: 'not asked again in it',
          },
        ]
      : []),
    { value: 'edit', label: 'Change the arguments, then allow' },
  ]
  const deny: Choice<Action>[] = [{ value: 'deny', label: 'Decline, with a reason' }]
  const isHarsh = tool.toolClass === 'external' || tool.toolClass === 'destructive'
  return [
    ...(isHarsh ? [...deny, ...allow] : [...allow, ...deny]),
    ...(isFolded ? [{ value: 'full' as const, label: 'Show everything first' }] : []),
    { value: 'leave', label: 'Leave it open', hint: 'answer later, from any terminal' },
  ]
}

function show(request: ApprovalRequest, output: Output, isFull: boolean) {
  const card = askCard(request, isFull)
  const [title = '', ...lines] = card.lines
  output.line(`\n${output.style('bold', output.style('yellow', `? ${title}`))}`)
  for (const line of lines) output.line(line)
  return card
}

async function isConfirmed(
  request: ApprovalRequest,
  args: JsonValue,
  output: Output,
  signal: AbortSignal,
): Promise<boolean> {
  show({ ...request, args, prepared: false, coerced: [], argsDigest: 'changed by you' }, output, false)
  const answers = [
    { value: 'yes', label: 'Allow it like this' },
    { value: 'no', label: 'Back' },
  ] as const
  return (await held(output, () => choose('Shall it run like this?', answers, signal))) === 'yes'
}
