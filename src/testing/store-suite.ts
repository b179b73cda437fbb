import { testAppends } from './store-suite/appends.ts'
import { testBlobs } from './store-suite/blobs.ts'
import { testConflicts } from './store-suite/conflicts.ts'
import { testLeases } from './store-suite/leases.ts'
import { testLifetime } from './store-suite/lifetime.ts'
import { testModel } from './store-suite/model.ts'
import { type OpenPlace, type TestApi, within } from './store-suite/place.ts'
import { testRemoval } from './store-suite/removal.ts'
import { testRows } from './store-suite/rows.ts'

export type { OpenPlace, Place, TestApi } from './store-suite/place.ts'

/**
 * The contract of `Store` as tests, for any store and any test runner. `open` gives a new, empty store for each test.
 *
 * @example
 * storeSuite('memory', async () => ({ store: memoryStore(), cleanup: async () => {} }), { describe, test, expect })
 */
export function storeSuite(name: string, open: OpenPlace, api: TestApi): void {
  const suite = { api, test: within(open, api) }
  api.describe(`store: ${name}`, () => {
    testAppends(suite)
    testConflicts(suite)
    testLeases(suite)
    testRows(suite)
    testBlobs(suite)
    testRemoval(suite)
    testLifetime(suite)
    testModel(suite)
  })
}
