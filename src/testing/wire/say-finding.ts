import type { SchemaFinding } from '../../core/lint/finding.ts'

const needs: Readonly<Partial<Record<string, string>>> = {
  items: 'an array needs a schema as "items"',
  additionalProperties: 'an object needs "additionalProperties": false where "strict" is true',
  required: 'every property must stand in "required" where "strict" is true',
  properties: 'the name of a property must match ^[a-zA-Z0-9_.-]{1,64}$',
}

/** What is wrong with a schema, and where. */
export function sayFinding({ keyword, pointer }: Pick<SchemaFinding, 'keyword' | 'pointer'>): string {
  const place = pointer === '' ? 'at its root' : `at ${pointer}`
  return `${place}, ${needs[keyword ?? ''] ?? `"${keyword}" is not taken`}`
}
