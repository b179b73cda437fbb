import { invalidConfig } from '../../server/config/invalid-config.ts'

/** The value of a variable that a configuration names. Errors: INVALID_CONFIG when it is unset or empty. */
export function variable(name: string, where: string): string {
  const value = process.env[name]?.trim()
  if (value) return value
  throw invalidConfig(`${where}: the variable ${name} is not set.`)
}
