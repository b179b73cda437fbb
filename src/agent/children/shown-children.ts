import type { Drive } from '../drive-input.ts'
import type { ChildEvent, ChildPlace, RunEvent } from '../run-event.ts'
import { shownEvent } from '../state-options.ts'
import { childRun } from './child-session.ts'

type Show = (event: RunEvent | ChildEvent) => void

/**
 * What a child is driven with where somebody looks on at the runs below, and who is shown what it does: each event of
 * its log once, also where it rests in between and another process writes to it. What was written since it rested, or
 * before its run began, is shown at once. `shown` says, by session, how much of a log was shown before.
 */
export async function shownChild(
  shown: Map<string, number>,
  child: Drive,
  show: Show,
): Promise<{ readonly input: Drive; readonly show: Show }> {
  const { definition, journal } = child
  const place = placeOf(child)
  const tell = (event: RunEvent | ChildEvent) => {
    if ('sequence' in event) shown.set(place.session, event.sequence)
    show(below(place, event))
  }
  await journal.stored()
  const { sequence: until, runs } = journal.state
  const after = shown.get(place.session) ?? (runs.has(place.run) ? until : 0)
  shown.set(place.session, until)
  if (after < until)
    for (const { sequence, at, event } of await definition.parts.store.read(journal.stream, { after })) {
      const given = sequence > until ? undefined : shownEvent(event, definition.state)
      if (given !== undefined) tell({ ...given, sequence, at })
    }
  return { input: { ...child, shown }, show: tell }
}

function placeOf({ definition, journal }: Drive): ChildPlace {
  const { id: session, parent } = journal.state
  return { agent: definition.name, session, run: childRun(session), call: parent?.call ?? '' }
}

function below(place: ChildPlace, given: RunEvent | ChildEvent): ChildEvent {
  if (given.type !== 'child.event') return { type: 'child.event', path: [place], event: given }
  return { ...given, path: [place, ...given.path] }
}
