import type { Agent, AgentTool } from '../../agent/agent.ts'
import { withAgentAlone } from '../agents-here.ts'
import { type AgentOptions, placeOf } from '../command-options.ts'
import { inertLine } from '../terminal/inert-text.ts'
import { writeJson } from '../terminal/json-lines.ts'
import { schemaInShort } from '../terminal/schema-in-short.ts'

/** Lists the agent's tools with their classes. */
export async function tools(options: AgentOptions): Promise<number> {
  return await withAgentAlone(placeOf(options), async (agent) => {
    const listed = agent.tools.map((tool) => listing(agent, tool))
    if (options.json === true) writeJson({ tools: listed })
    else for (const tool of listed) process.stdout.write(line(tool))
    return 0
  })
}

function listing(agent: Agent, { name, title, description, toolClass }: AgentTool) {
  // A tool that the model's provider runs has no schema here.
  const declared = agent.declaredTools.find((tool) => tool.name === name)
  const schemas = { schema: declared?.schema.jsonSchema, asksFor: declared?.yieldSchema?.jsonSchema }
  return { name, title, description, toolClass, parallel: declared?.parallel, ...schemas }
}

function line({ name, toolClass, description, asksFor }: ReturnType<typeof listing>): string {
  const asks = asksFor === undefined ? '' : ` A person gives ${schemaInShort(asksFor)}.`
  return `${name.padEnd(14)} ${toolClass.padEnd(6)} ${inertLine(description)}${asks}\n`
}
