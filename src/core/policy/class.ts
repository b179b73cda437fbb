/** What a call may do to the world, from the loosest class to the strictest. */
export const toolClasses = ['read', 'sensitive', 'write', 'external', 'destructive'] as const

/**
 * `read` looks at ordinary data; `sensitive` looks at personal data or shows the query to somebody outside;
 * `write` changes what can be changed back; `external` has an effect outside the application;
 * `destructive` cannot be undone.
 */
export type ToolClass = (typeof toolClasses)[number]

/** Whether a value from outside is the name of a class. */
export function isToolClass(value: unknown): value is ToolClass {
  return toolClasses.includes(value as ToolClass)
}

/** Below zero when `a` is looser than `b`, zero when they are the same, above zero when `a` is stricter. */
export function compareClass(a: ToolClass, b: ToolClass): number {
  return toolClasses.indexOf(a) - toolClasses.indexOf(b)
}

/** The stricter of two classes. */
export function stricterClass(a: ToolClass, b: ToolClass): ToolClass {
  return compareClass(a, b) >= 0 ? a : b
}
