/** One thing that a cell shows. `note` is said by the page itself. */
export interface Shown {
  readonly kind: 'log' | 'warn' | 'error' | 'value' | 'note'
  readonly text: string
}

/** Where the model of the cell with a key is, and the reader's key to it. */
export interface Endpoint {
  readonly key: string
  readonly baseUrl: string
  readonly model: string
}

/** To the worker: run this cell. Only the cell that needs it is sent the endpoint. */
export interface RunMessage {
  readonly cell: number
  readonly code: string
  readonly endpoint?: Endpoint
}

/** From the worker: a cell shows something, or has ended. */
export type WorkerMessage =
  | { readonly type: 'shown'; readonly cell: number; readonly shown: Shown }
  | { readonly type: 'ended'; readonly cell: number; readonly succeeded: boolean }
