import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder of its own below the system's temporary folder, and its removal. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'toolpost-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
