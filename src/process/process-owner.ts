import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { checkNothingMore } from '../core/known-keys.ts'
import type { Owner } from '../core/owner.ts'

/** A process as its name tells it. */
interface NamedProcess {
  readonly host: string
  readonly pid: number
  /** When it was started, in the system's own count; empty where that cannot be found out. */
  readonly startedAt: string
  /** The boot and the process namespace that the pid counts in; empty where there is no such thing. */
  readonly space: string
}

/**
 * This process as an owner of sessions. Its name carries host, pid and start time, so that another process on the
 * same machine can tell that it was killed and take over at once, also when its pid was given out again. Of an
 * owner on another host, in another container or from before a restart nothing is known: its lease runs out.
 */
export function processOwner(...more: readonly never[]): Owner {
  checkNothingMore(more, 'processOwner()', 'no arguments')
  const here = thisProcess()
  return {
    name: nameOf(here),
    hasEnded: (other) => {
      const named = parse(other)
      if (named === undefined || named.host !== here.host || named.space !== here.space) return false
      return hasEnded(named)
    },
  }
}

function thisProcess(): NamedProcess {
  return {
    host: hostname(),
    pid: process.pid,
    startedAt: statusOf(process.pid)?.startedAt ?? '',
    space: processSpace(),
  }
}

function nameOf({ host, pid, startedAt, space }: NamedProcess): string {
  return `process:${[host, String(pid), startedAt, space].map(encodeURIComponent).join(':')}`
}

/** A lease's owner may have the name of one drive behind a `/`, which no field of ours holds. */
function parse(name: string): NamedProcess | undefined {
  const [kind, ...fields] = (name.split('/', 1)[0] as string).split(':')
  if (kind !== 'process' || fields.length !== 4) return undefined
  const [host = '', digits = '', startedAt = '', space = ''] = fields.map(decodeURIComponent)
  const pid = Number(digits)
  return Number.isSafeInteger(pid) && pid > 0 ? { host, pid, startedAt, space } : undefined
}

function hasEnded({ pid, startedAt }: NamedProcess): boolean {
  if (!exists(pid)) return true
  const status = statusOf(pid)
  if (status === undefined || startedAt === '') return false
  // A process that was killed and not yet waited for runs no more; another start time is another process.
  return status.isDead || status.startedAt !== startedAt
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Linux: state and start time are fields 3 and 22 of /proc/PID/stat; the name before them may hold anything. */
function statusOf(pid: number): { isDead: boolean; startedAt: string } | undefined {
  const text = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const startedAt = fields[19]
  if (startedAt === undefined) return undefined
  return { isDead: fields[0] === 'Z' || fields[0] === 'X', startedAt }
}

function processSpace(): string {
  const boot = textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  const namespace = textOf(() => readlinkSync('/proc/self/ns/pid'))
  return boot === '' && namespace === '' ? '' : `${boot} ${namespace}`
}

function textOf(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
