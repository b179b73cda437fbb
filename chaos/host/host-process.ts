// A host of its own process, on a store that outlives it. It runs until it is killed.
import { flushCompileCache } from 'node:module'
import { createHost, serve } from '../../src/host.ts'
import { tool } from '../../src/index.ts'
import { processOwner } from '../../src/process/process-owner.ts'
import { sqlite } from '../../src/sqlite.ts'
import { manualClock } from '../../src/testing.ts'
import { hostModel } from './host-models.ts'
import { type HostOrder, type HostOrders, type HostReport, token } from './host-orders.ts'
import { Witness } from './witness.ts'

const orders = JSON.parse(process.argv[2] as string) as HostOrders
const { setup } = orders
const clock = manualClock(orders.now)
const witness = new Witness(orders.witness)
const toolMayEnd = Promise.withResolvers<void>()

function report(what: HostReport): void {
  process.send?.(what)
}

/** Charges once it is called, and says so; comes to its end when it is told to. */
const charge = tool({
  name: 'charge',
  description: 'Charges a card',
  toolClass: 'write',
  schema: {
    type: 'object',
    properties: { cents: { type: 'integer' } },
    required: ['cents'],
    additionalProperties: false,
  },
  execute: async (_args: unknown, { callId }) => {
    witness.add({ did: 'tool', call: callId })
    report({ is: 'in tool' })
    await toolMayEnd.promise
    return 'charged'
  },
})

const host = createHost({
  providers: { double: { models: hostModel } },
  tools: [charge],
  applicationTools: {
    enabled: true,
    requireApproval: setup.requireApproval ?? false,
    ...(setup.executionsMax === undefined ? {} : { maxPending: setup.executionsMax }),
  },
  approvals: {
    interactive: true,
    ...(setup.approvalsMax === undefined ? {} : { maxPending: setup.approvalsMax }),
  },
  ...(setup.limits === undefined ? {} : { limits: setup.limits }),
  ...(setup.approvesAll === true ? { approve: () => true } : {}),
  store: sqlite(orders.store),
  parts: { clock, owner: processOwner() },
})

process.on('message', (order: HostOrder) => {
  if (order.do === 'end tool') toolMayEnd.resolve()
  else clock.advance(order.byMs).then(() => report({ is: 'moved' }))
})
// Nobody is left who would kill it.
process.on('disconnect', () => process.exit())

const { port } = await serve(host, {
  port: orders.port,
  tokens: [
    {
      token,
      subject: 'application',
      providers: ['*'],
      tools: ['*'],
      applicationTools: [{ name: '*', requiresApproval: false }],
      approveTools: ['*'],
      sessions: ['create', 'read', 'continue', 'delete'],
    },
  ],
})
// So that the next one starts faster: this one never comes to its end.
flushCompileCache()
report({ is: 'ready', port })
