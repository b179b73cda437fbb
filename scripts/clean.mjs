// Takes away what an earlier build left, so that a removed file is removed from the package as well.
import { rmSync } from 'node:fs'

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
