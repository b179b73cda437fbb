import { readFileSync } from 'node:fs'

/** The version in the package's own manifest, above both `src` and `dist`. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(manifest.version)
}
