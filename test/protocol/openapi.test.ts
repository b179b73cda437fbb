import { readFileSync } from 'node:fs'
import { validate } from '@hyperjump/json-schema/openapi-3-1'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/core/schema/json-schema.ts'
import { compile } from '../../src/core/schema/validator.ts'
import { wireErrors } from '../../src/protocol/errors.ts'
import { namedBodies } from '../../src/protocol/named-bodies.ts'
import { openApiDocument } from '../../src/protocol/openapi.ts'
import { routePath } from '../../src/protocol/route-path.ts'
import { routes } from '../../src/protocol/routes.ts'

type Document = Record<string, never> & {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>
  components: { schemas: Record<string, JsonSchema> }
}

const document = openApiDocument() as unknown as Document

describe('the OpenAPI document', () => {
  test('in docs is the one that the schemas make', () => {
    const written = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
    expect(JSON.parse(written)).toEqual(document)
  })

  test('is one of OpenAPI 3.1, every schema of it too', async () => {
    const uri = 'https://spec.openapis.org/oas/3.1/schema-base'
    const output = await validate(uri, JSON.parse(JSON.stringify(document)), 'BASIC')
    expect(output).toMatchObject({ valid: true })
    const broken = {
      ...JSON.parse(JSON.stringify(document)),
      components: { schemas: { A: { type: 'text' } } },
    }
    expect(await validate(uri, broken)).toMatchObject({ valid: false })
  })

  test('has every route, and every body by its name', () => {
    const operations = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(operations.sort()).toEqual(Object.keys(routes).sort())
    expect(Object.keys(document.components.schemas)).toEqual(namedBodies.map(({ name }) => name).sort())
  })

  test('refers to nothing that it does not have', () => {
    const text = JSON.stringify(document)
    const referred = [...text.matchAll(/#\/components\/schemas\/([A-Za-z]+)/g)].map(([, name]) => name!)
    expect(referred.filter((name) => !(name in document.components.schemas))).toEqual([])
    expect(new Set(referred)).toContain('ToolExecution')
  })

  test('its schemas judge as the bodies do when references are followed', () => {
    const inside = (name: string) =>
      compile({
        $ref: `#/$defs/${name}`,
        $defs: JSON.parse(
          JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
        ),
      })
    const event = { type: 'run.failed', runId: 'r', sequence: 2, timestamp: '2026-01-01T00:00:00Z' }
    const error = { code: 'BUSY', message: 'Wait.', retryable: true }
    expect(inside('RunEvent')({ ...event, error })).toEqual([])
    expect(inside('RunEvent')({ ...event, error: { ...error, retryable: 1 } })).not.toEqual([])
    expect(
      inside('RunRequest')({ provider: 'p', model: 'm', input: 'i', applicationTools: [{}] }),
    ).not.toEqual([])
  })

  test('asks for no body where nothing of one is required', () => {
    const operation = (path: string) => document.paths[path]!.post as { requestBody?: { required: boolean } }
    expect(operation('/v1/runs/{runId}/cancel').requestBody?.required).toBe(false)
    for (const path of ['/v1/runs', '/v1/tool-executions/results', '/v1/sessions/create'])
      expect([path, operation(path).requestBody?.required]).toEqual([path, true])
  })

  test('says what ends a run where nobody streams it, and what any address can answer', () => {
    const { responses } = document.paths['/v1/runs']!.post!
    const ends = [
      'STEP_LIMIT',
      'TOOL_OUTCOME_UNCERTAIN',
      'PROVIDER_ERROR',
      'IDLE_TIMEOUT',
      'RESOURCE_LIMIT',
    ] as const
    for (const code of ends)
      expect(responses[String(wireErrors[code].status)]).toMatchObject({
        description: expect.stringContaining(`\`${code}\``),
      })
    for (const methods of Object.values(document.paths))
      for (const one of Object.values(methods))
        expect(Object.keys(one.responses)).toEqual(
          expect.arrayContaining(['400', '408', '431', '503', 'default']),
        )
  })

  test('says when to ask again wherever that makes sense', () => {
    const { responses } = document.paths['/v1/runs']!.post!
    expect(responses['429']).toHaveProperty('headers.Retry-After')
    expect(responses['400']).not.toHaveProperty('headers')
  })
})

describe('the path of a route', () => {
  test('has its parts filled in, such that they stay parts', () => {
    expect(routePath(routes.readRun.path, { runId: 'a/../b?c' })).toBe('/v1/runs/a%2F..%2Fb%3Fc')
    expect(routePath(routes.readHealth.path)).toBe('/health')
  })

  test('cannot be made without one', () => {
    expect(() => routePath(routes.readRun.path)).toThrow(TypeError)
  })
})
