import type { HostLimits } from '../../src/host.ts'

/** What a host is told of itself when it is started. */
export interface HostOrders {
  readonly store: string
  /** Where the host's own tool writes its effects. */
  readonly witness: string
  /** 0 = any that is free. */
  readonly port: number
  /** Where its clock stands, in milliseconds since 1970. */
  readonly now: number
  readonly setup: HostSetup
}

/** In what the hosts of scripts differ. */
export interface HostSetup {
  readonly limits?: HostLimits
  /** Executions that wait for a result. */
  readonly executionsMax?: number
  /** Approvals that wait for a decision. */
  readonly approvalsMax?: number
  readonly requireApproval?: boolean
  /** The host allows every call by itself. */
  readonly approvesAll?: boolean
}

/** What a host is told while it runs. */
export type HostOrder =
  | { readonly do: 'move clock'; readonly byMs: number }
  /** The host's own tool may come to its end. */
  | { readonly do: 'end tool' }

/** What a host says. */
export type HostReport =
  | { readonly is: 'ready'; readonly port: number }
  | { readonly is: 'moved' }
  /** The host's own tool has had its effect, and runs on. */
  | { readonly is: 'in tool' }

export const token = 'application-token-application-token'
