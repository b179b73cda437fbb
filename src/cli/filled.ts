import { UsageError } from './usage-error.ts'

/** Takes an option's value unless it is empty, as `--dir "$UNSET"` gives it: that names nothing, least of all a default. */
export function filled(option: string): (value: string) => string {
  return (value) => {
    if (value.trim() !== '') return value
    throw new UsageError(`${option} is empty; give it a value, or leave it out.`)
  }
}
