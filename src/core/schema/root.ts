import { localTarget } from './declared.ts'
import { isSchemaObject, isSubschema, type JsonSchema, own, type Subschema } from './json-schema.ts'
import { SchemaRefusal } from './refusal.ts'

/**
 * Refuses the schema of an input whose root takes anything but objects. A root that names no type is taken as one
 * of objects, since arguments always are.
 */
export function refuseOtherRoots(schema: Subschema): void {
  if (typeof schema === 'boolean') {
    throw new SchemaRefusal('', 'the root of an input schema must be an object with "type": "object"')
  }
  if (new RootKinds(schema).takesOther(schema)) {
    throw new SchemaRefusal(
      own(schema, 'type') === undefined ? '' : '/type',
      'the arguments of a call are an object; give the root "type": "object", or a union of such schemas',
    )
  }
}

class RootKinds {
  /** Each is asked once: one that takes no other kind by itself takes none wherever it is referred to. */
  private readonly asked = new Set<JsonSchema>()
  private readonly root: JsonSchema

  constructor(root: JsonSchema) {
    this.root = root
  }

  /** Whether a schema says that it takes values that are no objects. */
  takesOther(schema: Subschema): boolean {
    if (typeof schema === 'boolean' || this.asked.has(schema)) return false
    this.asked.add(schema)
    return this.typeTakes(schema) ?? this.partsTake(schema)
  }

  private typeTakes(schema: JsonSchema): boolean | undefined {
    const type = own(schema, 'type')
    if (type === undefined) return undefined
    return !(Array.isArray(type) ? type : [type]).every((name) => name === 'object')
  }

  private partsTake(schema: JsonSchema): boolean {
    const [values, constant, all] = ['enum', 'const', 'allOf'].map((key) => own(schema, key))
    if (constant !== undefined && !isSchemaObject(constant)) return true
    if (Array.isArray(values) && !values.every(isSchemaObject)) return true
    const target = localTarget(this.root, own(schema, '$ref'))
    if (isSubschema(target) && this.takesOther(target)) return true
    const unions = [own(schema, 'anyOf'), own(schema, 'oneOf'), all]
    return unions.some(
      (union) => Array.isArray(union) && union.some((one) => isSubschema(one) && this.takesOther(one)),
    )
  }
}
