import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestFolder } from './fixture.ts'

const source = (name: string) => JSON.stringify(join(import.meta.dirname, '../../src', name))

/** How the booking tool asks. */
export interface DeskOptions {
  /** The source of its `yieldSchema`. */
  readonly yieldSchema?: string
  /** More members of the tool. */
  readonly more?: string
  /** More members of the agent. */
  readonly agent?: string
  /** More statements of the module. */
  readonly also?: string
}

/** What the tool asks for unless told otherwise. */
const verdict = `{
  type: 'object',
  properties: {
    approved: { type: 'boolean', description: 'May it be booked?' },
    floor: { enum: ['ground', 'first'] },
    seats: { type: 'integer', minimum: 1 },
    note: { type: 'string' },
  },
  required: ['approved', 'floor', 'seats'],
  additionalProperties: false,
}`

/** A module with an agent of a program's own, whose tool stops to ask; gives the module's path. */
export function deskModule(
  folder: TestFolder,
  { yieldSchema = verdict, more = '', agent = '', also = '' }: DeskOptions = {},
): string {
  const path = join(folder.path, 'desk.ts')
  writeFileSync(
    path,
    `import { agent, scriptedModel, tool, suspend } from ${source('index.ts')}
import { sqlite } from ${source('sqlite.ts')}
const store = sqlite(${JSON.stringify(join(folder.path, 'desk.db'))})
const book = tool({
  name: 'book_room',
  description: 'Book a room',
  schema: { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] },
  yieldSchema: ${yieldSchema},
  execute: (args, { input }) => ({ booked: args.room, with: input }),
  ${more}
})
const script = [{ calls: [{ name: 'book_room', args: { room: 'Orion' } }] }, 'Done.']
const make = (name) =>
  agent({ name, model: scriptedModel(script, { fromHistory: true }), tools: [book], store, ${agent} })
export const desk = make('desk')
${also}
`,
  )
  return path
}
