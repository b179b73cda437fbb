import type { InputFunction } from '../../agent/input-request.ts'
import { suspend } from '../../agent/suspend.ts'
import type { CheckInput } from '../terminal/input-prompt.ts'
import { type Asking, type AskingMode, waitForOthers } from './choose-approvals.ts'
import { terminalInputs } from './terminal-inputs.ts'

/** What a handler of questions needs from its surroundings. */
export interface AskingForInput extends Asking {
  readonly check: CheckInput
}

/** The handler of a mode for what tools ask for. Without a terminal a question is left open, never declined. */
export function chooseInputs(mode: AskingMode, asking: AskingForInput): InputFunction {
  switch (mode) {
    case 'prompt':
      return terminalInputs(asking, asking.asks, asking.queue)
    case 'wait':
      return ({ id }, signal) => waitForOthers(id, 'input', signal, asking)
    case 'leave':
    case 'decline':
      return () => suspend()
  }
}
