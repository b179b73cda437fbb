import { callDigest } from '../../core/call.ts'
import { isToolpostError } from '../../core/error.ts'
import type { Actor } from '../../core/event.ts'
import { messageOf } from '../../core/message-of.ts'
import type { CallState } from '../../core/run/state.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { editedArguments, writeAnswer } from '../../runtime/decide.ts'
import { giveInput } from '../../runtime/give-input.ts'
import type { Task } from '../../runtime/task.ts'
import type { Answered } from '../../runtime/tickets.ts'
import type { CassetteAnswer, CassetteCall } from './cassette.ts'
import { fromJsonText } from './recorded-values.ts'
import type { Stage } from './stage.ts'

const nobody: Actor = { id: 'replay', method: 'default' }

const declined: Answered = {
  decision: { approved: false, scope: 'once', reason: 'The cassette has no answer to this ask.' },
  by: nobody,
  category: 'no_handler',
}

/** The no that stands for an answer which no longer passes. */
function refusal(error: unknown): Answered {
  const decision = { approved: false, scope: 'once', reason: messageOf(error) } as const
  return { decision, by: nobody, category: 'handler_error' }
}

/** Answers asks as they were answered in the recording. */
export class AskPlayer {
  readonly #stage: Stage
  readonly #given = new Map<string, number>()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** Gives a call's next recorded answer; an ask that was covered by another answer is answered already. */
  async answer(task: Task, recorded: CassetteCall): Promise<void> {
    const answer = this.#next(recorded)
    const call = this.#stage.journal.state.calls.get(recorded.id)
    if (answer === undefined || call?.status !== 'asking') return
    const wantsInput = this.#stage.journal.state.tickets.get(call.ticket as string)?.kind === 'input'
    if (wantsInput && answer.inputJson !== undefined)
      return await this.#give(task, call, answer.inputJson, answer.by)
    // A yes to a question of another kind answers nothing.
    const isAnswer = !answer.approved || wantsInput === (answer.inputJson !== undefined)
    await this.#write(call, isAnswer ? await this.#answered(task, call, recorded, answer) : declined)
  }

  /** The same where the recording may have no answer: then nobody is there, which is a no. */
  async answerOrDecline(task: Task, recorded: CassetteCall): Promise<void> {
    const { id, asks } = recorded
    const answer = asks[this.#given.get(id) ?? 0]?.answer
    if (answer !== undefined && answer.category !== 'cancelled') return await this.answer(task, recorded)
    const call = this.#stage.journal.state.calls.get(id)
    if (call?.status === 'asking') await this.#write(call, declined)
  }

  /** A value that the tool no longer takes is no answer. */
  async #give(
    { journal, catalog, parts }: Task,
    call: CallState,
    inputJson: string,
    by: Actor,
  ): Promise<void> {
    try {
      const options = { journal, catalog, clock: parts.clock, by }
      await giveInput(options, call.ticket as string, fromJsonText(inputJson))
    } catch (error) {
      if (!isToolpostError(error)) throw error
      await this.#write(call, refusal(error))
    }
  }

  #next({ id, asks }: CassetteCall): CassetteAnswer | undefined {
    const given = this.#given.get(id) ?? 0
    this.#given.set(id, given + 1)
    return asks[given]?.answer
  }

  async #write(call: CallState, answered: Answered): Promise<void> {
    const { journal, definition } = this.#stage
    await writeAnswer(journal, call.ticket as string, answered, definition.parts.clock)
  }

  async #answered(
    task: Task,
    call: CallState,
    recorded: CassetteCall,
    answer: CassetteAnswer,
  ): Promise<Answered> {
    const { approved, scope, wished, reason, by, category, editedJson } = answer
    const given = {
      decision: { approved, scope: wished ?? scope, ...(reason === undefined ? {} : { reason }) },
      by,
      ...(category === undefined ? {} : { category }),
    }
    if (editedJson === undefined) return given
    try {
      const edited = await this.#edited(task, call, recorded, editedJson)
      return { ...given, ...(edited === undefined ? {} : { edited }) }
    } catch (error) {
      if (!isToolpostError(error)) throw error
      return refusal(error)
    }
  }

  /** What a person made of the arguments is validated anew, as far as a schema takes what it gave out. */
  async #edited(task: Task, call: CallState, recorded: CassetteCall, editedJson: string) {
    const { journal, catalog, parts } = task
    const args = fromJsonText(editedJson)
    const tool = catalog.find(call.name)
    if (tool !== undefined && isTransformed(tool) && tool.version === recorded.version) {
      const { version } = tool
      return { args, digest: callDigest(tool.name, version, args), version }
    }
    const options = { journal, catalog, clock: parts.clock, by: nobody }
    return await editedArguments(options, call.ticket as string, {
      approved: true,
      scope: 'once',
      editedArgs: args,
    })
  }
}

/** A schema that is a program may transform; what it took once need not pass a second time. */
function isTransformed(tool: Tool): boolean {
  return tool.schema.kind === 'standard'
}
