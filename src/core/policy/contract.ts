import type { Contract } from './facts.ts'

/** Whether a contract names any tool; one that names none restricts nothing. */
export function contractRestricts(contract: Contract): boolean {
  for (const name in contract.tools) if (Object.hasOwn(contract.tools, name)) return true
  return false
}

/** What a contract says of a tool; absent when it does not list it. A name such as `constructor` is only a name. */
export function contractEntry(
  contract: Contract,
  tool: string,
): { readonly toolClass?: unknown } | undefined {
  return Object.hasOwn(contract.tools, tool) ? (contract.tools[tool] ?? {}) : undefined
}
