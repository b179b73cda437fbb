import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isToolpostError, ToolpostError } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import { sqlite } from '../stores/sqlite/sqlite-store.ts'
import type { Place } from './command-options.ts'
import { systemReason } from './system-reason.ts'

/** Opens the store of a place and makes it when it is missing; it closes when `use` is done. */
export async function withStore<Value>(place: Place, use: (store: Store) => Promise<Value>): Promise<Value> {
  if (place.isOwnStore) keepOutOfGit(dirname(place.storeFile))
  return await closing(open(place.storeFile), use)
}

/** Opens a store that is there. Errors: INVALID_ARGUMENT when it is missing: nothing is made by looking. */
export async function withExistingStore<Value>(
  place: Place,
  use: (store: Store) => Promise<Value>,
): Promise<Value> {
  if (existsSync(place.storeFile)) return await closing(open(place.storeFile), use)
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `Nothing is recorded yet: there is no "${place.storeFile}". \`start\` makes it; --dir and --store say where to look.`,
  )
}

/** Errors: INVALID_ARGUMENT, with the option that names another place, when nothing can be recorded here. */
function open(file: string): Store {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new ToolpostError('INVALID_ARGUMENT', `"${file}" is a folder; ${elsewhere}`)
  try {
    return sqlite(file)
  } catch (error) {
    if (!isToolpostError(error) || error.code !== 'INVALID_ARGUMENT') throw error
    const why = systemReason(error.cause) ?? error.message
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `Nothing can be recorded in "${file}": ${why}; ${elsewhere}`,
      { cause: error },
    )
  }
}

const elsewhere = '--store FILE names a file to record in, in a folder that you may write to.'

async function closing<Value>(store: Store, use: (store: Store) => Promise<Value>): Promise<Value> {
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** What was said and read in a folder is nobody else's business; git leaves a folder alone that says so itself. */
function keepOutOfGit(folder: string): void {
  const file = join(folder, '.gitignore')
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder === false)
    throw new ToolpostError('INVALID_ARGUMENT', `"${folder}" is a file, not a folder; ${elsewhere}`)
  try {
    if (isFolder === undefined) mkdirSync(folder)
    if (!existsSync(file)) writeFileSync(file, '*\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    const why = systemReason(error)
    if (why === undefined) throw error
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `Nothing can be recorded in "${folder}": ${why}; ${elsewhere}`,
      { cause: error },
    )
  }
}
