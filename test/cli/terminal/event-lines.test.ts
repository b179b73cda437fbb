import { expect, test } from 'vitest'
import { eventLines } from '../../../src/cli/terminal/event-lines.ts'
import type { Event } from '../../../src/core/event.ts'

const names = { toolOf: () => 'book', finishOf: () => undefined }
const by = { id: 'ann', method: 'mail' }
const input = { ticket: 'ask_1', call: 'call_1' }

test.each<[string, Event]>([
  ['book rests until session_2 has ended', { type: 'call.rested', call: 'call_1', on: ['session_2'] }],
  ['book rests until 1970-01-01 00:00:01', { type: 'call.rested', call: 'call_1', until: 1_000 }],
  [
    'book starts the agent clerk, and waits for it: session_2',
    {
      type: 'child.started',
      run: 'run_1',
      call: 'call_1',
      index: 0,
      session: 'session_2',
      agent: 'clerk',
      kind: 'run',
    },
  ],
  [
    'State of the run: seats = 4, a\\u{1b}b is deleted',
    {
      type: 'state.changed',
      scope: 'run',
      run: 'run_1',
      changes: [{ key: 'seats', value: 4 }, { key: 'a\u001bb' }],
    },
  ],
  [
    'book was answered by ann (mail) after 12 ms: {"to":"b\\u202e"}',
    { type: 'input.given', ...input, value: { to: 'b\u202e' }, by, waitedMs: 12 },
  ],
  [
    'book declined by ann (mail) after 12 ms: No.',
    { type: 'input.declined', ...input, by, reason: 'No.', waitedMs: 12 },
  ],
  [
    'book needs no answer any more, because the run was stopped',
    { type: 'input.declined', ...input, by, category: 'cancelled', waitedMs: 12 },
  ],
])('%s', (text, event) => {
  expect(eventLines(event, names).map((line) => line.text)).toEqual([text])
})
