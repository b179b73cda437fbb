import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'

/** A Standard Schema that can also show itself as JSON Schema: Zod 4, ArkType, Valibot through `toStandardJsonSchema`. */
export interface StandardSource<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaV1.Props<Input, Output> & StandardJSONSchemaV1.Props<Input, Output>
}

/** A plain JSON Schema. Written `as const`, the types of its values are inferred. */
export type JsonSchemaSource = boolean | { readonly [key: string]: unknown }

/** What a tool's schema may be. */
export type SchemaSource = StandardSource | JsonSchemaSource

/** The type that `execute` gets: a Standard Schema's output, or what a JSON Schema written `as const` describes. */
export type InferSchema<Source> = Source extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : InferJson<Source>

/** The type that a caller hands in: a Standard Schema's input, or what a JSON Schema written `as const` describes. */
export type InferSchemaInput<Source> = Source extends {
  readonly '~standard': { readonly types?: infer Types }
}
  ? NonNullable<Types> extends { readonly input: infer Input }
    ? Input
    : unknown
  : InferJson<Source>

/** What a JSON Schema describes, as far as types can tell; the rest is unknown. */
type InferJson<Schema> = Schema extends true
  ? unknown
  : Schema extends false
    ? never
    : Schema extends { readonly const: infer Value }
      ? Value
      : Schema extends { readonly enum: readonly (infer Value)[] }
        ? Value
        : Schema extends { readonly anyOf: readonly (infer Branch)[] }
          ? InferJson<Branch>
          : Schema extends { readonly oneOf: readonly (infer Branch)[] }
            ? InferJson<Branch>
            : InferTyped<Schema>

type InferTyped<Schema> = Schema extends { readonly type: readonly (infer Name)[] }
  ? InferNamed<Name, Schema>
  : Schema extends { readonly type: infer Name }
    ? InferNamed<Name, Schema>
    : Schema extends { readonly properties: object }
      ? InferObject<Schema>
      : unknown

/** Distributes over the names of a type list. A name that is no literal tells nothing. */
type InferNamed<Name, Schema> = Name extends 'string'
  ? string
  : Name extends 'number' | 'integer'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : Name extends 'array'
          ? InferArray<Schema>
          : Name extends 'object'
            ? InferObject<Schema>
            : unknown

type InferArray<Schema> = Schema extends { readonly prefixItems: infer Tuple extends readonly unknown[] }
  ? [...{ -readonly [Index in keyof Tuple]: InferJson<Tuple[Index]> }, ...unknown[]]
  : Schema extends { readonly items: readonly unknown[] }
    ? unknown[]
    : Schema extends { readonly items: infer Items }
      ? InferJson<Items>[]
      : unknown[]

type InferObject<Schema> = Schema extends { readonly properties: infer Properties extends object }
  ? Flat<
      { [Key in keyof Properties as Key & RequiredOf<Schema>]: InferJson<Properties[Key]> } & {
        [Key in Exclude<keyof Properties, RequiredOf<Schema>>]?: InferJson<Properties[Key]>
      }
    >
  : Schema extends { readonly additionalProperties: infer Members extends object }
    ? { [key: string]: InferJson<Members> }
    : { [key: string]: unknown }

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never

type Flat<Parts> = { -readonly [Key in keyof Parts]: Parts[Key] }
