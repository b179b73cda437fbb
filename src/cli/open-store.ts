import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ToolpostError } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import { sqlite } from '../stores/sqlite/sqlite-store.ts'
import type { Place } from './command-options.ts'

/** Opens the store of a place and makes it when it is missing; it closes when `use` is done. */
export async function withStore<Value>(place: Place, use: (store: Store) => Promise<Value>): Promise<Value> {
  if (place.isOwnStore) keepOutOfGit(dirname(place.storeFile))
  return await closing(sqlite(place.storeFile), use)
}

/** Opens a store that is there. Errors: INVALID_ARGUMENT when it is missing: nothing is made by looking. */
export async function withExistingStore<Value>(
  place: Place,
  use: (store: Store) => Promise<Value>,
): Promise<Value> {
  if (existsSync(place.storeFile)) return await closing(sqlite(place.storeFile), use)
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `Nothing is recorded yet: there is no "${place.storeFile}". \`start\` makes it; --dir and --store say where to look.`,
  )
}

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
  mkdirSync(folder, { recursive: true })
  if (!existsSync(file)) writeFileSync(file, '*\n')
}
