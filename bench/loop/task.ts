import * as z from 'zod'

/** The work that every peer is given: twenty steps with one call each, then a sentence. */
export const steps = 20

export const toolName = 'check_stock'
export const description = 'Look up how many units of a SKU the warehouse holds'
export const question = 'What do we hold of everything?'
export const instructions = 'Answer from the warehouse alone.'

/** The schema of the tool's arguments, one object for all. */
export const argumentsSchema = z.object({ sku: z.string(), quantity: z.number().int().positive() })

/** What the tool does: the same for all, and as good as nothing. */
export function checkStock({ sku, quantity }: { sku: string; quantity: number }) {
  return { sku, units: 12, canFulfil: quantity <= 12 }
}

/** The text of the arguments of the call in a step. */
export function argumentsOfStep(step: number): string {
  return `{"sku":"ADK-${step}","quantity":${(step % 9) + 1}}`
}

export const answerText = 'There is enough of everything.'
