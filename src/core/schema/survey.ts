import { messageOf } from '../message-of.ts'
import { type Dialect, dialectOf, firstDialect, type Surroundings } from './dialect.ts'
import { checkForms } from './form.ts'
import { copySchema, isSchemaObject, type JsonSchema, own, type Subschema } from './json-schema.ts'
import { innerSchemas } from './keywords.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { resolveFragment } from './reference.ts'
import { below, SchemaRefusal } from './refusal.ts'
import { hidesSiblings, newResource, type Place, type Resource } from './resource.ts'

/** Base of schemas without `$id`: relative references resolve against it, and nothing else has it. */
const baseUri = 'toolpost://schema/'

/**
 * Walks a schema once: checks the form of every keyword, compiles every pattern, indexes `$id` and anchors, and
 * resolves every reference. Throws SchemaRefusal. Nothing is ever fetched.
 */
export class Survey {
  readonly root: Resource
  readonly places = new Map<JsonSchema, Place>()
  /** What `$ref` and, before its dynamic part, `$dynamicRef` point to. */
  readonly refTargets = new Map<JsonSchema, Subschema>()
  readonly dynamicTargets = new Map<JsonSchema, Subschema>()
  readonly patterns = new Map<string, Pattern>()
  private readonly resources = new Map<string, Resource>()
  private readonly unresolved: JsonSchema[] = []
  private readonly surroundings: Surroundings

  constructor(schema: Subschema, surroundings: Surroundings = { documents: new Map() }) {
    this.surroundings = surroundings
    this.root = this.enterDocument(baseUri, schema)
    for (let next = this.unresolved.pop(); next !== undefined; next = this.unresolved.pop())
      this.resolve(next)
  }

  private enterDocument(uri: string, schema: Subschema): Resource {
    const first = firstDialect(this.surroundings)
    const dialect = isSchemaObject(schema) ? this.dialect(schema, '', first) : first
    const resource = newResource(uri, schema, '', dialect)
    this.resources.set(uri, resource)
    this.walk(schema, '', resource)
    return isSchemaObject(schema) ? this.places.get(schema)!.resource : resource
  }

  private walk(schema: Subschema, pointer: string, base: Resource, around?: JsonSchema): void {
    if (typeof schema === 'boolean' || this.places.has(schema)) return
    const resource = this.enterResource(schema, pointer, base)
    checkForms(schema, pointer, resource.dialect)
    this.places.set(schema, { resource, pointer, around })
    this.addAnchors(schema, pointer, resource)
    this.addPatterns(schema, pointer)
    if (Object.hasOwn(schema, '$ref') || Object.hasOwn(schema, '$dynamicRef')) this.unresolved.push(schema)
    for (const inner of innerSchemas(schema, pointer)) {
      this.walk(inner.schema, inner.pointer, resource, inner.inPlace ? schema : undefined)
    }
  }

  private enterResource(schema: JsonSchema, pointer: string, around: Resource): Resource {
    const id = own(schema, '$id')
    if (typeof id !== 'string' || id.startsWith('#') || hidesSiblings(schema, around)) return around
    const place = below(pointer, '$id')
    const [uri = '', fragment = ''] = absolute(id, around.uri, place).split('#')
    if (fragment !== '') throw new SchemaRefusal(place, 'an $id has no fragment; use $anchor')
    const outer = this.resources.get(uri)
    if (outer !== undefined && outer.root !== schema) {
      throw new SchemaRefusal(place, `the $id ${JSON.stringify(id)} stands twice in the schema`)
    }
    const dialect = this.dialect(schema, pointer, around.dialect)
    const resource = newResource(uri, schema, pointer, dialect)
    this.resources.set(uri, resource)
    return resource
  }

  private dialect(schema: JsonSchema, pointer: string, outer: Dialect): Dialect {
    return dialectOf(schema, pointer, outer, this.surroundings.documents)
  }

  private addAnchors(schema: JsonSchema, pointer: string, resource: Resource): void {
    const [id, anchor, dynamic] = ['$id', '$anchor', '$dynamicAnchor'].map((key) => own(schema, key))
    const add = (keyword: string, name: string) => {
      const other = resource.anchors.get(name)
      if (other !== undefined && other !== schema) {
        const reason = `the anchor ${JSON.stringify(name)} stands twice in the schema`
        throw new SchemaRefusal(below(pointer, keyword), reason)
      }
      resource.anchors.set(name, schema)
    }
    if (typeof anchor === 'string') add('$anchor', anchor)
    if (typeof dynamic === 'string') {
      add('$dynamicAnchor', dynamic)
      resource.dynamicAnchors.set(dynamic, schema)
    }
    // Draft-07 writes an anchor as an $id that is only a fragment.
    if (typeof id === 'string' && id.startsWith('#') && !hidesSiblings(schema, resource))
      add('$id', id.slice(1))
  }

  private addPatterns(schema: JsonSchema, pointer: string): void {
    const pattern = own(schema, 'pattern')
    if (typeof pattern === 'string') this.addPattern(pattern, below(pointer, 'pattern'))
    const keyed = own(schema, 'patternProperties')
    if (!isSchemaObject(keyed)) return
    const place = below(pointer, 'patternProperties')
    for (const key of Object.keys(keyed)) this.addPattern(key, below(place, key))
  }

  private addPattern(source: string, place: string): void {
    if (this.patterns.has(source)) return
    try {
      this.patterns.set(source, compilePattern(source))
    } catch (thrown) {
      throw new SchemaRefusal(place, `the pattern cannot be used: ${messageOf(thrown, 300)}`)
    }
  }

  private resolve(schema: JsonSchema): void {
    const place = this.places.get(schema)!
    for (const keyword of ['$ref', '$dynamicRef'] as const) {
      const reference = own(schema, keyword)
      if (typeof reference !== 'string') continue
      const target = this.find(reference, place, below(place.pointer, keyword))
      const targets = keyword === '$ref' ? this.refTargets : this.dynamicTargets
      targets.set(schema, target)
    }
  }

  private find(reference: string, from: Place, place: string): Subschema {
    const [uri = '', ...rest] = absolute(reference, from.resource.uri, place).split('#')
    const resource = this.resources.get(uri) ?? this.fetchNothing(uri, reference, place)
    const found = resolveFragment(resource, rest.join('#'), reference, place)
    // A target that no keyword leads to was not walked yet.
    if (!this.placesHas(found.schema)) this.walk(found.schema, found.pointer, resource)
    return found.schema
  }

  private placesHas(schema: Subschema): boolean {
    return typeof schema === 'boolean' || this.places.has(schema)
  }

  private fetchNothing(uri: string, reference: string, place: string): Resource {
    const document = this.surroundings.documents.get(uri)
    if (document !== undefined) return this.enterDocument(uri, copySchema(document))
    throw new SchemaRefusal(
      place,
      `${JSON.stringify(reference)} points outside of the schema, and nothing is fetched; copy the target into $defs`,
    )
  }
}

function absolute(reference: string, base: string, place: string): string {
  try {
    return new URL(reference, base).href
  } catch {
    throw new SchemaRefusal(place, `${JSON.stringify(reference)} is no URI reference`)
  }
}
