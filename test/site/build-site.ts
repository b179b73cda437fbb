// Builds the site into the folder that the argument names, in a process of its own: Vite reads how to build from the
// environment, and the one of tests is another.
import { build } from 'vite'
import config from '../../site/vite.config.ts'

const [outDir = ''] = process.argv.slice(2)
await build({
  ...config,
  configFile: false,
  logLevel: 'error',
  build: { ...config.build, outDir, emptyOutDir: true },
})
