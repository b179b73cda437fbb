import { type ChildOptions, type FilesOfRun, filesOfRun } from '../../core/child.ts'
import { ToolpostError } from '../../core/error.ts'
import type { FileReference } from '../../core/file.ts'
import type { RunInput } from '../../core/input-part.ts'
import { named } from '../../core/json/named.ts'
import type { UserMessage } from '../../core/message.ts'
import type { Journal } from '../../runtime/journal.ts'
import type { Task } from '../../runtime/task.ts'
import type { Definition } from '../definition.ts'
import { takeInput } from '../read-input.ts'

/** What a run was told. */
export function toldTo({ journal, run }: Pick<Task, 'journal' | 'run'>): UserMessage | undefined {
  const first = journal.state.history.find((entry) => entry.role === 'user' && entry.run === run)
  return first?.role === 'user' ? first : undefined
}

/**
 * What a child is told: its input, and the files of what the run above was told where it stands in that one's place. Their
 * bytes are kept in the child's own session. Errors: INVALID_ARGUMENT.
 */
export async function childMessage(
  above: Task,
  child: Definition,
  journal: Journal,
  call: string,
  options: ChildOptions | undefined,
): Promise<UserMessage> {
  const { input = '', [filesOfRun]: which } = options ?? {}
  refuseFiles(child, input)
  const said = await takeInput({ parts: above.parts, journal }, input)
  const along = which === undefined ? [] : filesAlong(above, call, which)
  if (along.length > 0 && child.textOnly !== undefined) throw takesText(child)
  for (const file of along) await copyBytes(above, journal, file)
  const files = [...(said.files ?? []), ...along]
  return files.length === 0 ? said : { ...said, files }
}

function filesAlong(above: Task, call: string, which: FilesOfRun): readonly FileReference[] {
  const isFirst = above.journal.state.calls.get(call)?.step === 1
  return which === 'any_step' || isFirst ? (toldTo(above)?.files ?? []) : []
}

async function copyBytes({ parts, journal: from }: Task, to: Journal, { digest }: FileReference) {
  const bytes = await parts.store.getBlob(from.stream, digest)
  if (bytes === undefined)
    throw new ToolpostError(
      'STORE_CORRUPT',
      `The session ${from.state.id} has lost its file ${named(digest)}.`,
    )
  await parts.store.putBlob(to.stream, bytes)
}

/** Errors: INVALID_ARGUMENT for images and files that a flow would lose, since what it begins with takes a text only. */
export function refuseFiles(definition: Definition, input: RunInput): void {
  if (definition.textOnly === undefined || !Array.isArray(input)) return
  if (input.some((part: unknown) => (part as { type?: unknown } | null)?.type !== 'text'))
    throw takesText(definition)
}

function takesText({ name, textOnly = '' }: Definition): ToolpostError {
  return new ToolpostError(
    'INVALID_ARGUMENT',
    `The flow ${named(name)} takes a text only: its part ${named(textOnly)}, which would get the images and files, is a function. Begin with an agent, or give the function what it needs in the text.`,
  )
}
