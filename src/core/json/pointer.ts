/** The JSON pointer (RFC 6901) of a path of keys and indices; the empty path is the empty string. */
export function jsonPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
