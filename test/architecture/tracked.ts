import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './source.ts'

/** Every file of the repository as Git sees it, new ones included, ignored ones left out. */
export function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const paths = new Set(listed.split('\0').filter((path) => path !== ''))
  return [...paths].filter((path) => existsSync(join(repository, path))).sort()
}
