import type { Agent } from '../agent/agent.ts'
import { agentAtPath, definitionOf } from '../agent/children/known-agents.ts'
import type { InputRequest } from '../agent/input-request.ts'
import type { JsonValue } from '../core/json/value.ts'
import { checkSchema } from '../runtime/check-schema.ts'

/** Says what is wrong with an answer before it is given; of an agent that is not known here, giving it will. */
export async function checkInput(
  agent: Agent,
  request: InputRequest,
  value: JsonValue,
): Promise<readonly string[]> {
  const definition = definitionOf(agent)
  const schema = agentAtPath(definition, request.path)?.catalog.find(request.tool.name)?.yieldSchema
  if (schema === undefined) return []
  const checked = await checkSchema(
    { parts: definition.parts, signal: new AbortController().signal },
    schema,
    value,
  )
  return checked.ok ? [] : checked.faults.map(({ message }) => message)
}
