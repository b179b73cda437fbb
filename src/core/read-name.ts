/** Characters of a name that is kept in a log: of a session, a person, a door. */
export const nameLengthMax = 256

/** Whether a value is a text of 1 to 256 characters that every store can keep: no half of a surrogate pair. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= nameLengthMax && value.isWellFormed()
}
