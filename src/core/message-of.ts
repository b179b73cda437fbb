/**
 * The message of a thrown value, whatever it is, for a record or a model. It never throws: a getter, a Proxy or a
 * `toString` that does is read as a value that cannot be read. An error without a message gives its name, a value
 * that is no error its text. Longer than `charactersMax` (default 8,000) it is cut, with an ellipsis.
 */
export function messageOf(thrown: unknown, charactersMax = 8_000): string {
  const text =
    read(() => ownMessage(thrown)) ?? read(() => String(thrown)) ?? 'A thrown value cannot be read.'
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text
  // Half a surrogate pair, from the cut or from the thrower, would not survive the log.
  return cut.toWellFormed()
}

function ownMessage(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  const message = (thrown as { message?: unknown }).message
  if (typeof message === 'string' && message !== '') return message
  return isNamed(thrown) ? undefined : 'An object without a message was thrown.'
}

/** Whether the object's text says more than `[object Object]`; that of a list can be longer than any text. */
function isNamed(thrown: object): boolean {
  const text = thrown.toString
  if (typeof text !== 'function') return false
  return text !== Object.prototype.toString && text !== Array.prototype.toString
}

function read(reader: () => string | undefined): string | undefined {
  try {
    return reader()
  } catch {
    return undefined
  }
}
