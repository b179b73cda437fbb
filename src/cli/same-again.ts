import type { SessionState } from '../core/run/state.ts'
import type { ModelOptions } from './choose-model.ts'
import type { SameAgain } from './next-steps.ts'
import { defaultRequest } from './scripted-job.ts'

/** Says with which words the newest run of a session is begun again: its request, and the model as it was chosen here. */
export function sameAgain(state: SessionState, { model, scripted }: ModelOptions): SameAgain {
  const named = model === undefined ? [] : ['--model', model]
  const said = state.history.findLast((entry) => entry.role === 'user' && entry.by === undefined)
  const request = said?.role === 'user' ? said.text : undefined
  const asked = request === undefined || request === defaultRequest ? [] : [request]
  return { begin: [...asked, ...named, ...(scripted === true ? ['--scripted'] : [])], model: named }
}
