// Unpacks Chromium, and the shared libraries that a bare system lacks, into the temporary folder of this process.
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'

const libraries = fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')))
await Promise.all([chromium.executablePath(), inflate(libraries)])
console.log(tmpdir())
