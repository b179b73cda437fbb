import { setTimeout as wait } from 'node:timers/promises'
import type { ApprovalDecision, RunEvent, RunRequest, RunStatus, ToolResult } from '../../src/host.ts'
import { type EventOf, FollowedRun } from './followed-run.ts'
import type { HostSetup } from './host-orders.ts'
import { type HostPlace, KilledHost } from './killed-host.ts'
import { type Answer, ask, openStream, WireRefusal } from './wire.ts'
import { Witness } from './witness.ts'

/**
 * When the host is killed: `after` a step, when its answer is there; `lost`, when the host has answered and the answer
 * never arrives; `during`, so many milliseconds after the request was sent. Steps count from 1.
 */
export interface KillPlan {
  readonly when: 'after' | 'lost' | 'during'
  readonly step: number
  readonly waitMs?: number
}

/** A step that was played. */
export interface PlayedStep {
  readonly name: string
  /** Whether it asks the host for something, so that an answer can be lost. */
  readonly isAsked: boolean
}

export interface PlayOptions {
  readonly place: HostPlace
  readonly setup: HostSetup
  readonly kills: readonly KillPlan[]
  /** Whether the next process listens where the last one did. */
  readonly isSamePort: boolean
}

/** A result that was sent, and whether its receipt came. */
export interface SentResult {
  readonly result: ToolResult
  readonly isAccepted: boolean
}

/** One play of a script: steps, a host that is killed between them or in them, and what was told and done. */
export class Play {
  readonly host: KilledHost
  readonly witness: Witness
  readonly steps: PlayedStep[] = []
  readonly runs: FollowedRun[] = []
  readonly results: SentResult[] = []
  readonly decisions: ApprovalDecision[] = []
  readonly faults: string[] = []
  readonly #options: PlayOptions

  constructor(options: PlayOptions) {
    this.#options = options
    this.host = new KilledHost(options.place, options.setup)
    this.witness = new Witness(options.place.witness)
  }

  /** A step that sees something, or does something that no host has to answer. */
  async see<Value>(name: string, look: () => Promise<Value>): Promise<Value> {
    const step = this.#begin(name, false)
    const seen = await look()
    if (this.#planned('after', step)) await this.restart()
    return seen
  }

  /** A step that asks the host. `again` does what a caller does who does not know whether his first request arrived. */
  async ask<Value>(name: string, first: () => Promise<Value>, again = first): Promise<Value> {
    const step = this.#begin(name, true)
    const broken = this.#planned('lost', step) ?? this.#planned('during', step)
    let answer: Value
    if (broken === undefined) answer = await first()
    else {
      const asked = first().catch(() => undefined)
      await (broken.when === 'lost' ? asked : wait(broken.waitMs ?? 0))
      await this.host.kill()
      await asked
      await this.#startAgain()
      answer = await again()
    }
    if (this.#planned('after', step)) await this.restart()
    return answer
  }

  /** Says that something is not as it has to be. */
  expect(isSo: boolean, sentence: string): void {
    if (!isSo) this.faults.push(`${this.steps.at(-1)?.name ?? 'beginning'}: ${sentence}`)
  }

  async restart(): Promise<void> {
    await this.host.kill()
    await this.#startAgain()
  }

  /** Starts a run and follows it; whose first answer was lost looks for it among his runs before he starts another. */
  async start(request: RunRequest): Promise<FollowedRun> {
    const run = new FollowedRun((event) => this.#serve(event))
    this.runs.push(run)
    const begin = async () => {
      run.read(await openStream(this.host.url, '/v1/runs', { body: request }))
      await run.first('run.started')
    }
    await this.ask('start a run', begin, async () => {
      if (run.runId !== undefined) return
      const lost = await this.#unknownRun()
      if (lost === undefined) return await begin()
      this.runs.splice(this.runs.indexOf(run), 1)
      const found = new FollowedRun((event) => this.#serve(event), lost)
      this.runs.push(found)
      await found.attach(this.host.url)
    })
    return this.runs.at(-1) as FollowedRun
  }

  /** A request that the host has to refuse before its stream begins. */
  async refusedRun(request: RunRequest): Promise<string> {
    return await this.ask('start a run that is refused', async () => {
      try {
        await openStream(this.host.url, '/v1/runs', { body: request })
        return 'nothing'
      } catch (error) {
        if (error instanceof WireRefusal) return error.code
        throw error
      }
    })
  }

  /** Waits for the execution of a call; its function has run then, once for each time that the stream asked for it. */
  async execution(
    run: FollowedRun,
    callId: string,
  ): Promise<EventOf<'tool.execution.requested'>['execution']> {
    const requested = await this.see('see an execution', () =>
      run.first('tool.execution.requested', ({ execution }) => execution.call.id === callId),
    )
    return requested.execution
  }

  async approval(run: FollowedRun, callId: string): Promise<EventOf<'approval.requested'>['approval']> {
    const requested = await this.see('see an ask', () =>
      run.first('approval.requested', ({ approval }) => approval.call.id === callId),
    )
    return requested.approval
  }

  async end(run: FollowedRun): Promise<RunEvent> {
    return await this.see('see the end', () => run.ended())
  }

  /** Sends a result, under a key, until its receipt is there. */
  async result(result: ToolResult): Promise<Answer> {
    const answer = await this.ask('send a result', () => this.post('/v1/tool-executions/results', result))
    this.results.push({ result, isAccepted: answer.status === 200 })
    return answer
  }

  /** Decides. Whose receipt was lost is told that the ask waits no more, if his decision had arrived. */
  async decide(decision: ApprovalDecision): Promise<Answer> {
    const send = () => this.post('/v1/approvals/decisions', decision)
    let isRepeated = false
    const answer = await this.ask('decide', send, () => {
      isRepeated = true
      return send()
    })
    const isTaken = answer.status === 200 || (isRepeated && answer.code === 'APPROVAL_NOT_FOUND')
    this.expect(isTaken, `the decision was refused: ${answer.code}`)
    this.decisions.push(decision)
    return answer
  }

  async post(path: string, body: object): Promise<Answer> {
    return await ask(this.host.url, path, body)
  }

  async get(path: string): Promise<Answer> {
    return await ask(this.host.url, path)
  }

  async status(run: FollowedRun): Promise<RunStatus> {
    return (await this.get(`/v1/runs/${run.runId}`)).body as RunStatus
  }

  #begin(name: string, isAsked: boolean): number {
    this.steps.push({ name, isAsked })
    return this.steps.length
  }

  #planned(when: KillPlan['when'], step: number): KillPlan | undefined {
    return this.#options.kills.find((kill) => kill.when === when && kill.step === step)
  }

  async #startAgain(): Promise<void> {
    for (const run of this.runs) await run.gone()
    await this.host.start(this.#options.isSamePort)
    await this.#checkOpen()
    for (const run of this.runs) if (run.runId !== undefined) await run.attach(this.host.url)
  }

  /** What was open before the kill is open, and what was closed is closed. */
  async #checkOpen(): Promise<void> {
    for (const run of this.runs) {
      if (run.runId === undefined) continue
      const { status, pendingExecutions } = await this.status(run)
      const isEnded = ['completed', 'failed', 'cancelled'].includes(status)
      if (run.end !== undefined) this.expect(isEnded, `a run that had ended is ${status}`)
      const pending = pendingExecutions.map(({ executionId }) => executionId)
      const taken = this.results.filter(({ isAccepted }) => isAccepted)
      for (const { result } of taken)
        this.expect(!pending.includes(result.executionId), 'a result that was accepted is waited for')
    }
  }

  /** The function of the application: it runs whenever the stream asks for it. */
  #serve(event: RunEvent): void {
    if (event.type !== 'tool.execution.requested') return
    const { executionId, runId, call } = event.execution
    this.witness.add({ did: 'function', ticket: executionId, run: runId, call: call.id })
  }

  async #unknownRun(): Promise<string | undefined> {
    const { runs } = (await this.get('/v1/runs')).body as { readonly runs: readonly RunStatus[] }
    return runs.find(({ runId }) => this.runs.every((known) => known.runId !== runId))?.runId
  }
}
