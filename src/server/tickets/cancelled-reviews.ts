import type { Runs } from '../runs/runs.ts'

/** What a run says that somebody ended instead of deciding about a call of it. */
export const cancelledReview = 'The review was cancelled.'

/** Stops the runs of this process that somebody has cancelled in another one. Returns what stops watching. */
export function followCancelledReviews(runs: Runs): () => void {
  return runs.listen((live, news) => {
    if (news.kind !== 'event' || news.stored.event.type !== 'approval.decided') return
    const { category, by } = news.stored.event
    if (category === 'cancelled' && by.method === 'wire') live.cancel(cancelledReview)
  })
}
