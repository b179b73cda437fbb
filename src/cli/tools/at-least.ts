/**
 * Numbers under their own names when they are whole, else under names that end in `AtLeast`: who reads one row of a
 * bounded result must not take it for the whole.
 */
export function atLeast(
  numbers: Readonly<Record<string, number>>,
  isWhole: boolean,
): Readonly<Record<string, number>> {
  if (isWhole) return numbers
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [`${name}AtLeast`, value]))
}
