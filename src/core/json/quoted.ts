/** Printable ASCII without quote and backslash stands in JSON as it is: names, ids and digests, most short strings. */
const bare = /^[ !#-[\]-~]*$/
/** A look at a longer text costs as much as writing it. */
const shortMax = 100

/** A well-formed string as JSON text, exactly as `JSON.stringify` writes it. */
export function quoted(text: string): string {
  return text.length <= shortMax && bare.test(text) ? `"${text}"` : JSON.stringify(text)
}
