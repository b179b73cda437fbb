import { expect, test } from 'vitest'
import type { Route } from '../../src/protocol/route.ts'
import { routes } from '../../src/protocol/routes.ts'

/** Address, grant, what is sent, what is answered, what is streamed. */
const table = [
  ['GET /health', 'nothing', undefined, 'Health', undefined],
  ['GET /v1/protocol', 'token', undefined, 'ProtocolInfo', undefined],
  ['GET /v1/providers', 'token', undefined, 'ProviderList', undefined],
  ['POST /v1/runs', /providers, tools, applicationTools/, 'RunRequest', 'RunResult', 'RunEvent'],
  ['DELETE /v1/runs/{runId}', 'token', undefined, 'RunDeleted', undefined],
  ['POST /v1/approvals/decisions', /approveTools/, 'ApprovalDecision', 'ApprovalResolution', undefined],
  ['POST /v1/tool-executions/progress', /applicationTools/, 'ToolProgress', 'ToolProgressReceipt', undefined],
  ['POST /v1/tool-executions/results', /applicationTools/, 'ToolResult', 'ToolResultReceipt', undefined],
  ['POST /v1/sessions/create', 'sessions: create', 'SessionCreate', 'SessionSnapshot', undefined],
  ['POST /v1/sessions/read', 'sessions: read', 'SessionRead', 'SessionSnapshot', undefined],
  ['POST /v1/sessions/delete', 'sessions: delete', 'SessionDelete', 'SessionDeleted', undefined],
] as const

test.each(table)('%s has its grant and its bodies [application-tools/wire-endpoints]', (...row) => {
  const [address, grant, request, response, stream] = row
  const all: readonly Route[] = Object.values(routes)
  const route = all.find(({ method, path }) => `${method} ${path}` === address)
  expect(route?.grant).toMatch(grant)
  const bodies = [route?.request, route?.response, route?.stream].map((body) => body?.name)
  expect(bodies).toEqual([request, response, stream])
})
