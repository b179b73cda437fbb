import { spawnSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

/** The peers are no dependencies of the package: they are installed for the measurement alone. */
function installPeers(): void {
  if (!existsSync(`${here}node_modules/ai`)) npm(here, 'ci')
}

/** What is measured is what is published. */
function buildWhenOld(): void {
  const built = `${root}dist/index.js`
  const builtAt = existsSync(built) ? statSync(built).mtimeMs : 0
  const sources = globSync(`${root}src/**/*.ts`)
  if (sources.some((source) => statSync(source).mtimeMs > builtAt)) npm(root, 'run', '-s', 'build')
}

function npm(folder: string, ...args: string[]): void {
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}.`)
}

installPeers()
buildWhenOld()
const { measureAll } = await import('./measure-all.ts')
await measureAll()
