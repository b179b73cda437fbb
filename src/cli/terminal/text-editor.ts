import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The person's own editor, as VISUAL or EDITOR names it. */
export function textEditor(): string | undefined {
  return [process.env.VISUAL, process.env.EDITOR].find((name) => name !== undefined && name.trim() !== '')
}

/** Lets a person change a text in their editor. Undefined when the editor failed or nothing came back. */
export async function editInEditor(editor: string, text: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'toolpost-'))
  try {
    const file = join(folder, 'argument.md')
    await writeFile(file, text, { mode: 0o600 })
    // The variable may hold options; the file's name was made here and needs no more than its quotes.
    const child = spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' })
    const code = await new Promise((resolve) => child.once('error', () => resolve(1)).once('exit', resolve))
    return code === 0 ? await readFile(file, 'utf8') : undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
