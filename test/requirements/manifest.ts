import { applicationTools } from './application-tools.ts'
import { platformTools } from './platform-tools.ts'
import type { Requirement } from './requirement.ts'
import { scenarios } from './scenarios.ts'
import { toolRegistryAndCodeMode } from './tool-registry-and-code-mode.ts'
import { toolsAndApprovals } from './tools-and-approvals.ts'
import { toolsInAnAgent } from './tools-in-an-agent.ts'

/** Every behaviour that the project has to show: the five contracts and the scenarios. */
export const manifest: readonly Requirement[] = [
  ...toolsAndApprovals,
  ...toolsInAnAgent,
  ...applicationTools,
  ...toolRegistryAndCodeMode,
  ...platformTools,
  ...scenarios,
]
