// An approver changes the arguments before the call runs: the edited ones are validated, and the model is told.
import { ApprovalDecision, agent, scriptedModel, tool } from 'toolpost'
import * as z from 'zod'

const bookRoom = tool({
  name: 'book_room',
  description: 'Reserve a meeting room',
  toolClass: 'write',
  schema: z.object({ room: z.string(), minutes: z.number().int().max(480) }),
  prepare: ({ room, minutes }) => ({ room: room.trim().toUpperCase(), minutes }),
  execute: ({ room, minutes }) => `${room} is booked for ${minutes} minutes`,
})

const receptionist = agent({
  name: 'receptionist',
  model: scriptedModel([
    { calls: [{ name: 'book_room', args: { room: ' orion ', minutes: 240 } }] },
    'Booked.',
  ]),
  tools: [bookRoom],
  approvals: (request) => {
    console.log('asked:', request.args)
    return ApprovalDecision.approve({ editedArgs: { room: 'ORION', minutes: 60 } })
  },
})

const session = await receptionist.startSession()
await session.run('Book Orion for four hours.')
for (const { event } of await session.events()) {
  if (event.type === 'approval.edited') console.log('edited:', event.args)
  if (event.type === 'call.completed' && event.outcome.status === 'completed') console.log(event.outcome.text)
}

// Prints:
// asked: { room: 'ORION', minutes: 240 }
// edited: { room: 'ORION', minutes: 60 }
// { inline: 'ORION is booked for 60 minutes' }
