/** What an id stands for; it is the id's first word. */
export type IdKind = 'session' | 'run' | 'call' | 'ask' | 'execution' | 'owner'

/** Gives out ids that never repeat. */
export interface IdSource {
  next(kind: IdKind): string
}

/** A number in [0, 1), used only for the spread of retry delays. */
export type Random = () => number
