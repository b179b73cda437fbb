import type { Tool } from './tool.ts'

/** Whether a value is a declared tool, also one made by another copy of this package. */
export function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false
  const { executor, schema, name } = value as Partial<Tool>
  return typeof name === 'string' && typeof executor?.execute === 'function' && schema !== undefined
}
