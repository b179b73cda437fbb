import type { Event } from '../../core/event.ts'
import type { JsonObject, JsonValue } from '../../core/json/value.ts'
import type { CallState, SessionState } from '../../core/run/state.ts'
import type { ToolCall } from '../../protocol/tool-call.ts'

/** The calls of a run as the wire knows them: by the model's ids, with the arguments that will run. */
export class WireCalls {
  readonly #calls = new Map<string, ToolCall>()

  /** Follows the log. */
  note(event: Event): void {
    if (event.type === 'call.proposed') {
      const { call, modelCallId: id, name, accepted } = event
      this.#calls.set(call, { id, name, arguments: asObject(accepted?.args) })
    }
    if (event.type === 'approval.edited' || event.type === 'call.migrated') {
      const known = this.#calls.get(event.call)
      if (known !== undefined) this.#calls.set(event.call, { ...known, arguments: asObject(event.args) })
    }
  }

  get(call: string): ToolCall {
    return this.#calls.get(call) ?? { id: call, name: '', arguments: {} }
  }
}

/** The same of one call, from the folded log. */
export function wireCallOf(call: CallState): ToolCall {
  return { id: call.modelCallId, name: call.name, arguments: asObject(call.args) }
}

/** The call of a run that the wire knows by this id. */
export function callByWireId(state: SessionState, run: string, id: string): CallState | undefined {
  return [...state.calls.values()].find((call) => call.run === run && call.modelCallId === id)
}

function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}
