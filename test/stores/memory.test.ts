import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/stores/memory/memory-store.ts'
import { storeSuite } from '../../src/testing/store-suite.ts'

storeSuite(
  'memory',
  async () => {
    const store = memoryStore()
    return { store, cleanup: () => store.close() }
  },
  { describe, test, expect },
)
