/** How a model can see a tool. Exposure never changes what a call may do. */
export const exposures = ['direct', 'code', 'both', 'deferred', 'hidden'] as const

/**
 * `direct`: in the model's list; `code`: for programs only; `both`; `deferred`: found by searching;
 * `hidden`: never shown, callable only by the host's own name for it.
 */
export type Exposure = (typeof exposures)[number]

/** Whether a tool stands in the model's own list. */
export function isListed(exposure: Exposure): boolean {
  return exposure === 'direct' || exposure === 'both'
}

/** Whether the model may call a tool by its name: hidden tools are the host's alone, and those for code a program's. */
export function isCallableByModel(exposure: Exposure): boolean {
  return exposure !== 'hidden' && exposure !== 'code'
}
