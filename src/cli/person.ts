import { userInfo } from 'node:os'
import type { Actor } from '../core/event.ts'

/** Who sits at the command line, by the name that the system knows. */
export function personAtCommandLine(): Actor {
  return { id: userName(), method: 'command-line' }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'somebody')
  }
}
