import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
    // Hundreds of tests start this package in processes of their own; each would read all of its source again.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/toolpost-tests', import.meta.url)),
    },
  },
})
