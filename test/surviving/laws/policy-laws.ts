import { addingLaws } from './adding-laws.ts'
import { classLaws } from './class-laws.ts'
import type { PolicyLaw } from './law.ts'
import { rememberedLaws } from './remembered-laws.ts'
import { traceLaws } from './trace-laws.ts'

/** The laws of the policy. Whoever evaluates facts as the policy does keeps every one of them. */
export const policyLaws: readonly PolicyLaw[] = [...addingLaws, ...classLaws, ...rememberedLaws, ...traceLaws]
