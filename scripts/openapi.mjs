// Writes docs/openapi.json, the OpenAPI document of a host, from the schemas in src/protocol.
import { writeFileSync } from 'node:fs'
import { openApiDocument } from '../src/protocol/openapi.ts'

const target = new URL('../docs/openapi.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
