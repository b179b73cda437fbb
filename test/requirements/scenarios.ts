import type { Requirement } from './requirement.ts'
import { applicationScenarios } from './scenarios-application.ts'
import { approvalScenarios } from './scenarios-approvals.ts'
import { faultScenarios } from './scenarios-faults.ts'
import { integrationScenarios } from './scenarios-integrations.ts'
import { registryScenarios } from './scenarios-registry.ts'

/** Every scenario, in the order of its file. */
export const scenarios: readonly Requirement[] = [
  ...approvalScenarios,
  ...applicationScenarios,
  ...registryScenarios,
  ...integrationScenarios,
  ...faultScenarios,
]
