import type { JsonValue } from '../json/value.ts'
import type { Dialect } from './dialect.ts'
import { isSchemaObject, isSubschema, type JsonSchema } from './json-schema.ts'
import { type Form, keywordForms } from './keywords.ts'
import { below, SchemaRefusal } from './refusal.ts'

const typeNames: ReadonlySet<unknown> = new Set([
  ...['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'],
])

/** Checks that every keyword of one schema object has a value of its form. Throws SchemaRefusal with the place. */
export function checkForms(schema: JsonSchema, pointer: string, dialect: Dialect): void {
  for (const keyword of Object.keys(schema)) {
    const place = below(pointer, keyword)
    if (keyword === '$async')
      throw new SchemaRefusal(place, 'asynchronous schemas cannot be used; remove $async')
    if (keyword === '$recursiveRef') throw new SchemaRefusal(place, 'use $dynamicRef, which took its place')
    const form = keywordForms.get(keyword)
    if (form !== undefined) checkForm(schema[keyword]!, form, place, dialect)
  }
}

function checkForm(value: JsonValue, form: Form, place: string, dialect: Dialect): void {
  if (form === 'items' && Array.isArray(value)) checkTuple(value, place, dialect)
  else if (!formTests[form](value)) throw new SchemaRefusal(place, `it must be ${formTexts[form]}`)
}

function checkTuple(value: readonly JsonValue[], place: string, dialect: Dialect): void {
  if (!dialect.tupleItems) {
    throw new SchemaRefusal(place, 'an array here belongs to draft-07; write prefixItems and items')
  }
  if (!value.every(isSubschema)) throw new SchemaRefusal(place, `it must be ${formTexts.items}`)
}

const formTests: Readonly<Record<Form, (value: JsonValue) => boolean>> = {
  schema: isSubschema,
  items: isSubschema,
  schemaList: (value) => Array.isArray(value) && value.length > 0 && value.every(isSubschema),
  schemaMap: (value) => isMapOf(value, isSubschema),
  patternMap: (value) => isMapOf(value, isSubschema),
  dependencies: (value) => isMapOf(value, (member) => isSubschema(member) || isNames(member)),
  type: (value) =>
    typeNames.has(value) ||
    (isNames(value) && value.length > 0 && value.every((name) => typeNames.has(name))),
  number: isNumber,
  positiveNumber: (value) => isNumber(value) && value > 0,
  count: (value) => isNumber(value) && value >= 0 && (typeof value === 'bigint' || Number.isInteger(value)),
  boolean: (value) => typeof value === 'boolean',
  text: (value) => typeof value === 'string',
  pattern: (value) => typeof value === 'string',
  names: isNames,
  nameMap: (value) => isMapOf(value, isNames),
  values: (value) => Array.isArray(value),
}

const formTexts: Readonly<Record<Form, string>> = {
  schema: 'a schema (an object or a boolean)',
  items: 'a schema, or in draft-07 an array of schemas',
  schemaList: 'an array of schemas that is not empty',
  schemaMap: 'an object whose members are schemas',
  patternMap: 'an object whose members are schemas',
  dependencies: 'an object whose members are schemas or arrays of names',
  type: 'one of null, boolean, object, array, number, integer, string, or an array of them',
  number: 'a number',
  positiveNumber: 'a number above 0',
  count: 'an integer from 0',
  boolean: 'true or false',
  text: 'a string',
  pattern: 'a string',
  names: 'an array of strings',
  nameMap: 'an object whose members are arrays of strings',
  values: 'an array',
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isNames(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function isMapOf(value: JsonValue, test: (member: JsonValue) => boolean): boolean {
  return isSchemaObject(value) && Object.keys(value).every((key) => test(value[key]!))
}
