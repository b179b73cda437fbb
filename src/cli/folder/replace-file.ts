import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Puts a text in a file's place at once: nobody ever sees half of it, and after it resolves it is on the disk.
 * `key` names the temporary file beside it, so that a second try after a crash leaves none behind. An abort
 * before the text is in its place leaves the file as it was.
 */
export async function replaceFile(
  absolute: string,
  text: string,
  options: { readonly key: string; readonly signal: AbortSignal },
): Promise<void> {
  const { key, signal } = options
  const temporary = join(
    dirname(absolute),
    `.${basename(absolute).slice(0, 40)}.${key.replace(/[^\w-]/g, '_')}.tmp`,
  )
  try {
    await rm(temporary, { force: true })
    await writeSynced(temporary, text)
    signal.throwIfAborted()
    await rename(temporary, absolute)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(absolute))
}

async function writeSynced(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
  try {
    await handle.writeFile(text, 'utf8')
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The new name is durable only once the folder is synced; systems that cannot open folders do it by themselves. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
