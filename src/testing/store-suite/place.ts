import type { Store } from '../../core/store.ts'

/** Where one test keeps its data. */
export interface Place {
  /** Open and empty. */
  readonly store: Store
  /** Opens the same data again, after the test has closed what was open. Absent when nothing outlives `close`. */
  readonly reopen?: () => Promise<Store>
  /** Another store on the same data at the same time, as another process would have it. */
  readonly second?: () => Promise<Store>
  /** Closes `store` if the test did not, and removes the data. */
  cleanup(): Promise<void>
}

export type OpenPlace = () => Promise<Place>

/** What the suite takes from a test runner; Vitest's and Jest's own fit. */
export interface TestApi {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
  expect(actual: unknown): { toEqual(expected: unknown): unknown; toBe(expected: unknown): unknown }
}

/** A test that is given a place of its own. */
export type PlaceTest = (title: string, body: (place: Place) => Promise<void>) => void

/** What each part of the suite is given. */
export interface Suite {
  readonly api: TestApi
  readonly test: PlaceTest
}

/** Opens a place before each test and cleans it up after, whatever became of the test. */
export function within(open: OpenPlace, { test }: TestApi): PlaceTest {
  return (title, body) => {
    test(title, async () => {
      const place = await open()
      try {
        await body(place)
      } finally {
        await place.cleanup()
      }
    })
  }
}

/** The code of the error that a promise rejects with; undefined when it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
    return undefined
  } catch (thrown) {
    return (thrown as { code?: unknown }).code
  }
}
