import type { Executor } from '../../core/executor.ts'

/**
 * Hands calls to an application outside, by tickets. The runtime gives out the ticket together with the claim; it never
 * enters this. Whoever does so without one is told that nothing was done.
 */
export const remoteExecutor: Executor = Object.freeze<Executor>({
  handsOut: true,
  execute: async ({ name }) => ({
    status: 'failed',
    code: 'not_handed_out',
    message: `The tool "${name}" is carried by an application outside, and nothing here has handed the call to it.`,
  }),
})
