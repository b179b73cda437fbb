import type { CallHooks } from '../../runtime/call-hooks.ts'
import type { Cassette } from './cassette.ts'

/**
 * The hooks around the calls of a recording: those that they refused are refused again, and no function is run. What they
 * made of a result stands in the recorded result.
 */
export function recordedHooks({ runs }: Cassette): CallHooks {
  const calls = runs.flatMap(({ steps }) => steps.flatMap((step) => step.calls))
  const refused = new Map(
    calls.flatMap(({ id, name, outcome }): [string, string][] =>
      outcome?.status === 'refused' && outcome.category === 'hook'
        ? [[id, saidBy(name, outcome.message)]]
        : [],
    ),
  )
  return {
    before: async ({ call }) => {
      const said = refused.get(call.id)
      return said === undefined ? undefined : { refused: said }
    },
    after: async (_call, { value }) => ({ value }),
    failed: async () => undefined,
  }
}

/** What the hook said, without what was put before its words. */
function saidBy(tool: string, message: string): string {
  const before = `The tool "${tool}" was not entered: `
  return message.startsWith(before) ? message.slice(before.length) : message
}
