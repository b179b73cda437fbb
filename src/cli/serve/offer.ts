import type { ServeOptions } from '../../server/config/serve-options.ts'
import type { HostOptions } from '../../server/host-options.ts'
import { inertLine } from '../terminal/inert-text.ts'

/** What a host offers and to whom, for a person and for a program. It holds no token. */
export interface Offer {
  readonly providers: Readonly<Record<string, readonly string[] | 'any model'>>
  readonly tools: readonly string[]
  readonly applicationTools: 'off' | 'reviewed' | 'as granted'
  readonly approvals: boolean
  readonly subjects: readonly string[] | 'as the application says'
  readonly isRecorded: boolean
}

export function offerOf(options: HostOptions, { tokens }: ServeOptions): Offer {
  const providers = Object.entries(options.providers).map(([name, { models }]) => [
    name,
    typeof models === 'function' ? 'any model' : Object.keys(models),
  ])
  const { enabled = false, requireApproval = true } = options.applicationTools ?? {}
  return {
    providers: Object.fromEntries(providers),
    tools: (options.tools ?? []).map(({ name }) => name),
    applicationTools: !enabled ? 'off' : requireApproval ? 'reviewed' : 'as granted',
    approvals: options.approvals?.interactive === true,
    subjects:
      tokens === undefined ? 'as the application says' : [...new Set(tokens.map(({ subject }) => subject))],
    isRecorded: options.store !== undefined,
  }
}

const reviews = {
  off: 'not taken',
  reviewed: 'taken; each call is reviewed',
  'as granted': 'taken; reviewed where a token or a definition asks for it',
} as const

export function offerLines(offer: Offer): readonly string[] {
  const providers = Object.entries(offer.providers).map(([name, models]) => `${name} (${listed(models)})`)
  return [
    `Providers: ${listed(providers)}`,
    `Tools of the host: ${listed(offer.tools)}`,
    `Application tools: ${reviews[offer.applicationTools]}`,
    `Approvals over the wire: ${offer.approvals ? 'yes' : 'no'}`,
    `Tokens for: ${listed(offer.subjects)}`,
    `Recorded: ${offer.isRecorded ? 'in its store' : 'in memory, which forgets with this process'}`,
  ].map(inertLine)
}

function listed(names: readonly string[] | string): string {
  if (typeof names === 'string') return names
  return names.length === 0 ? 'none' : names.join(', ')
}
