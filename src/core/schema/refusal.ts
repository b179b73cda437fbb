/**
 * A JSON Schema that cannot be used. It stays inside this folder: `toolSchema` turns it into the
 * `ToolpostError` with code INVALID_SCHEMA.
 */
export class SchemaRefusal extends Error {
  /** Where in the schema, as a JSON pointer; '' for its root. */
  readonly pointer: string

  constructor(pointer: string, reason: string) {
    super(reason)
    this.name = 'SchemaRefusal'
    this.pointer = pointer
  }
}

/** A pointer extended by one key or index. */
export function below(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
