/** How much a session lets its tools do, from the narrowest mode to the widest. */
export const toolModes = ['off', 'read_only', 'ask', 'auto'] as const

/**
 * `off` offers no tool; `read_only` hides every tool that changes something; `ask` asks a person before a
 * change; `auto` asks only before effects that leave the application or cannot be undone.
 */
export type ToolMode = (typeof toolModes)[number]

/** The mode of a session for which nobody chose one. */
export const defaultToolMode: ToolMode = 'ask'

/** Whether a value from outside is the name of a mode. */
export function isToolMode(value: unknown): value is ToolMode {
  return toolModes.includes(value as ToolMode)
}

/** The narrower of two modes. */
export function narrowerMode(a: ToolMode, b: ToolMode): ToolMode {
  return toolModes.indexOf(a) <= toolModes.indexOf(b) ? a : b
}
