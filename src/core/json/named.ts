/** Characters of a name or an id that a sentence repeats. */
const charactersMax = 200

/** A name or an id that somebody handed in, in quotes as a sentence names it: cut when it is long. */
export function named(name: unknown): string {
  const text = typeof name === 'string' ? name : textOf(name)
  return text.length > charactersMax ? `"${text.slice(0, charactersMax - 1).toWellFormed()}…"` : `"${text}"`
}

/** What is no text may throw when it is to become one. */
function textOf(name: unknown): string {
  try {
    return String(name)
  } catch {
    return 'a value that cannot be read'
  }
}
