// What an administrator's contract and a person's mode do with the same three tools.
import { agent, explainDecision, scriptedModel, tool } from 'toolpost'

const makeTool = (name: string, toolClass?: 'read' | 'write') =>
  tool({ name, description: name, execute: () => 'done', ...(toolClass === undefined ? {} : { toolClass }) })

const clerk = agent({
  name: 'clerk',
  model: scriptedModel([]),
  tools: [makeTool('look_up', 'read'), makeTool('change', 'write'), makeTool('new_tool', 'read')],
  // `change` is raised to destructive; `new_tool` is not listed, so it is held back.
  contract: { tools: { look_up: {}, change: { toolClass: 'destructive' } } },
})

console.log(clerk.tools.map(({ name, toolClass }) => `${name}: ${toolClass}`).join(', '))
for (const mode of ['read_only', 'ask', 'auto'] as const) {
  const verdicts = await Promise.all(
    ['look_up', 'change', 'new_tool'].map(
      async (name) => `${name} ${(await clerk.explain(name, {}, { mode })).decision.verdict}`,
    ),
  )
  console.log(`${mode}: ${verdicts.join(', ')}`)
}
const { decision } = await clerk.explain('new_tool', {})
console.log(explainDecision(decision).split('\n')[0])

// Prints:
// change: destructive, look_up: read
// read_only: look_up run, change deny, new_tool deny
// ask: look_up run, change ask, new_tool deny
// auto: look_up run, change ask, new_tool deny
