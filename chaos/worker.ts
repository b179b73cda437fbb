// A process of the chaos program: carries out one order after another, until it is killed.
import { flushCompileCache } from 'node:module'
import { carryOutAnswers } from './carry-out-answers.ts'
import { carryOutDrive } from './carry-out-drive.ts'
import { carryOutTimers } from './carry-out-timers.ts'
import { KillPoints } from './kill-points.ts'
import { closeRound, type OpenRound, openRound } from './open-round.ts'
import type { DriveEnd, Order, Report, WorkOrder } from './orders.ts'

const points = new KillPoints(process.argv[2] as string)
let open: OpenRound | undefined
let release: () => void = () => undefined

function report(what: Report): void {
  process.send?.(what)
}

async function carryOut(order: WorkOrder): Promise<readonly DriveEnd[]> {
  const round = open ?? openRound(order.place.folder, points)
  open = round
  points.arm(
    order.kill,
    (line) => round.evidence.add('kills', line),
    () => report({ is: 'begun' }),
  )
  if (order.do === 'drive') return await carryOutDrive(round, order)
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  if (order.do === 'tend') return await carryOutTimers(round, order, released)
  await carryOutAnswers(round, order, released)
  return []
}

async function obey(order: Exclude<Order, { do: 'release' }>): Promise<readonly DriveEnd[]> {
  if (order.do !== 'leave') return await carryOut(order)
  points.arm(undefined, () => undefined)
  if (open !== undefined) await closeRound(open)
  open = undefined
  return []
}

process.on('message', (order: Order) => {
  if (order.do === 'release') return release()
  obey(order).then(
    (drives) => report({ is: 'done', drives }),
    (error: unknown) =>
      report({ is: 'broken', text: error instanceof Error ? String(error.stack) : String(error) }),
  )
})
// Nobody is left to give orders.
process.on('disconnect', () => process.exit())
// So that the next worker starts faster: this one may never come to its end.
flushCompileCache()
report({ is: 'ready' })
