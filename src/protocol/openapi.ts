import type { JsonObject, JsonValue } from '../core/json/value.ts'
import type { Body } from './body.ts'
import { errorBody } from './error-body.ts'
import { type WireErrorCode, wireErrors } from './errors.ts'
import { namedBodies } from './named-bodies.ts'
import { everyEntrance, everyPost, everyRoute, headTooLarge, mayOmitBody, type Route } from './route.ts'
import { routes } from './routes.ts'
import { protocolVersion, versionHeader } from './version.ts'

const pathParameter = /\{([A-Za-z]+)\}/g

/** Which name each schema object has; the same object inside of another becomes a reference. */
const names: ReadonlyMap<JsonValue, string> = new Map(namedBodies.map(({ schema, name }) => [schema, name]))

/** The OpenAPI 3.1 document of a host, of the same schemas that hold its bodies. */
export function openApiDocument(): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const [operationId, route] of Object.entries(routes) as [string, Route][]) {
    const methods = paths[route.path] ?? {}
    methods[route.method.toLowerCase()] = operation(operationId, route)
    paths[route.path] = methods
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Toolpost host',
      version: protocolVersion,
      description: 'Runs of models with tools that the host, or the application that asks, executes.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: { schemas: components(), securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  }
}

function components(): JsonObject {
  const sorted = namedBodies.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return Object.fromEntries(sorted.map(({ name, schema }) => [name, members(schema)]))
}

/** A schema with every named one inside of it as a reference. */
function referring(value: JsonValue): JsonValue {
  const name = names.get(value)
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  if (Array.isArray(value)) return value.map(referring)
  return typeof value === 'object' && value !== null ? members(value as JsonObject) : value
}

function members(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referring(value)]))
}

function operation(operationId: string, route: Route): JsonObject {
  const { summary, grant, request } = route
  const isOpen = grant === 'nothing'
  return {
    operationId,
    summary,
    ...(isOpen ? {} : { description: grantText(grant) }),
    security: isOpen ? [] : [{ token: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(request === undefined
      ? {}
      : {
          requestBody: {
            required: !mayOmitBody(route),
            content: content('application/json', request),
          },
        }),
    responses: { '200': success(route), ...failures(codesOf(route)) },
  }
}

function grantText(grant: string): string {
  return grant === 'token' ? 'Needs a token.' : `Needs a token that grants: ${grant}.`
}

function codesOf({ method, grant, query, errors }: Route): readonly WireErrorCode[] {
  if (grant === 'nothing') return [...everyEntrance, ...errors]
  // A query at an address that takes none is another address.
  const elsewhere = query === undefined ? (['NOT_FOUND'] as const) : []
  return [...everyEntrance, ...everyRoute, ...elsewhere, ...(method === 'POST' ? everyPost : []), ...errors]
}

function pathParameters({ path }: Route): readonly JsonObject[] {
  return [...path.matchAll(pathParameter)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Route): readonly JsonObject[] {
  const properties = (query?.schema.properties ?? {}) as JsonObject
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: referring(schema),
  }))
}

function headerParameters({ grant, resumes }: Route): readonly JsonObject[] {
  const version = { name: versionHeader, in: 'header', schema: { const: protocolVersion } }
  const place = { name: 'Last-Event-ID', in: 'header', schema: { type: 'string' } }
  return [...(grant === 'nothing' ? [] : [version]), ...(resumes === true ? [place] : [])]
}

function content(type: string, body: Body<object>): JsonObject {
  return { [type]: { schema: referring(body.schema) } }
}

function success({ response, stream }: Route): JsonObject {
  const json = response === undefined && stream !== undefined ? {} : jsonContent(response)
  const events = stream === undefined ? {} : { 'text/event-stream': eventsOf(stream) }
  return { description: 'It was done.', content: { ...json, ...events } }
}

/** OpenAPI 3.1 has no word for the events of a stream; 3.2 calls it `itemSchema`. */
function eventsOf(stream: Body<object>): JsonObject {
  return { schema: { type: 'string' }, 'x-itemSchema': referring(stream.schema) }
}

function jsonContent(response: Body<object> | undefined): JsonObject {
  return response === undefined
    ? { 'application/json': { schema: { type: 'object' } } }
    : content('application/json', response)
}

function failures(codes: readonly WireErrorCode[]): JsonObject {
  const byStatus = Map.groupBy([...new Set(codes)].sort(), (code) => wireErrors[code].status)
  const statuses = [...byStatus].sort(([one], [other]) => one - other)
  return {
    ...Object.fromEntries(statuses.map(([status, of]) => [String(status), failure(of)])),
    [String(headTooLarge)]: refusal('- `INVALID_REQUEST`: The head of the request is too large.'),
    default: refusal('Another refusal: codes are open, and a newer host may know more.'),
  }
}

function refusal(description: string): JsonObject {
  return { description, content: content('application/json', errorBody) }
}

function failure(codes: readonly WireErrorCode[]): JsonObject {
  const lines = codes.map((code) => `- \`${code}\`: ${wireErrors[code].meaning}`)
  const passes = codes.some((code) => wireErrors[code].retryable)
  return {
    ...refusal(lines.join('\n')),
    ...(passes ? { headers: { 'Retry-After': { schema: { type: 'integer', minimum: 0 } } } } : {}),
  }
}
