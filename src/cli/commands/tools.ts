import { type CommandOptions, placeOf } from '../command-options.ts'
import { mainTools } from '../main-agent.ts'
import { writeJson } from '../terminal/json-lines.ts'

/** Lists the agent's tools with their classes. */
export async function tools(options: CommandOptions): Promise<number> {
  const listed = mainTools(placeOf(options).folder).map(
    ({ name, title, description, toolClass, schema, parallel }) => ({
      name,
      title,
      description,
      toolClass: toolClass ?? 'destructive',
      parallel,
      schema: schema.jsonSchema,
    }),
  )
  if (options.json === true) writeJson({ tools: listed })
  else
    for (const { name, toolClass, description } of listed)
      process.stdout.write(`${name.padEnd(14)} ${toolClass.padEnd(6)} ${description}\n`)
  return 0
}
