import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportCassette, formatReplay, parseCassette, replay } from '../../../src/testing.ts'
import { playPlot } from '../../surviving/play-plot.ts'
import { plots } from '../../surviving/plot.ts'

test('any session is exported whole, and replays the same on the same agent', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plots, async (plot) => {
      const { session, store, agent } = await playPlot(plot)
      const cassette = await exportCassette(session, { store })
      const read = parseCassette(JSON.parse(JSON.stringify(cassette)))
      expect(read).toEqual(cassette)
      expect(formatReplay(await replay(agent, read))).toMatch(/^Everything is as it was recorded/)
    }),
    { numRuns: Number(process.env.PLOTS ?? 60) },
  )
})
