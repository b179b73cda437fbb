import { exposures } from '../exposure.ts'
import { named } from '../json/named.ts'
import { toolClasses } from '../policy/class.ts'
import { nameFault } from './name.ts'

type Check = (value: unknown) => string | undefined

const isFunction: Check = (value) => (typeof value === 'function' ? undefined : 'must be a function')
const isBoolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')
const isText: Check = (value) =>
  typeof value === 'string' && value.trim() !== '' ? undefined : 'must be a text that is not empty'
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string)
      ? undefined
      : `must be one of ${values.map((each) => `"${each}"`).join(', ')}`

/** The keys of a tool's configuration and what each must be; there are no others. */
const keys: Readonly<Record<string, Check>> = {
  name: nameFault,
  title: isText,
  description: isText,
  schema: () => undefined,
  coercion: oneOf('lossless', 'off'),
  outputSchema: () => undefined,
  yieldSchema: () => undefined,
  yieldTimeout: timeFault,
  yieldDefault: () => undefined,
  toolClass: (value) => (typeof value === 'function' ? undefined : oneOf(...toolClasses)(value)),
  execute: isFunction,
  prepare: isFunction,
  finalize: isFunction,
  check: isFunction,
  reconcile: isFunction,
  retry: retryFault,
  timeout: timeFault,
  parallel: isBoolean,
  exposure: oneOf(...exposures),
  repeatable: isBoolean,
  dedupe: oneOf('error', 'share', 'run'),
  remember: oneOf('none', 'session', 'rule'),
}

/** The clock waits as long as it is told; beyond these, milliseconds are not exact. */
const longestMs = Number.MAX_SAFE_INTEGER

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

function timeFault(value: unknown): string | undefined {
  return isPositive(value) && value <= longestMs
    ? undefined
    : 'must be a number of milliseconds above 0, and at most Number.MAX_SAFE_INTEGER'
}

function retryFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return 'must be an object with maxAttempts, initialDelayMs, maxDelayMs and backoffMultiplier'
  }
  const retry = value as Record<string, unknown>
  const known = ['maxAttempts', 'initialDelayMs', 'maxDelayMs', 'backoffMultiplier', 'retryableErrors']
  const unknown = Object.keys(retry).find((key) => !known.includes(key))
  if (unknown !== undefined) return `has an unknown key ${named(unknown)}; it takes ${known.join(', ')}`
  if (!Number.isSafeInteger(retry.maxAttempts) || (retry.maxAttempts as number) < 1)
    return 'needs maxAttempts, a whole number of at least 1'
  for (const key of ['initialDelayMs', 'maxDelayMs']) {
    const delay = retry[key]
    if (typeof delay !== 'number' || !Number.isFinite(delay) || delay < 0 || delay > longestMs)
      return `needs ${key}, a number of milliseconds`
  }
  if ((retry.maxDelayMs as number) < (retry.initialDelayMs as number))
    return 'has a maxDelayMs below its initialDelayMs'
  if (!isPositive(retry.backoffMultiplier) || retry.backoffMultiplier < 1)
    return 'needs backoffMultiplier, a number of at least 1'
  if (retry.retryableErrors !== undefined && typeof retry.retryableErrors !== 'function')
    return 'has a retryableErrors that is not a function'
  return undefined
}

/** Everything that is wrong with a tool's configuration, as sentences; empty when it can be built. */
export function configFaults(config: unknown): string[] {
  if (typeof config !== 'object' || config === null) return ['tool() takes one object']
  const given = config as Record<string, unknown>
  const faults: string[] = []
  for (const key of Object.keys(given)) {
    const check = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (check === undefined)
      faults.push(`there is no key ${named(key)}; the keys are ${Object.keys(keys).join(', ')}`)
    else if (given[key] !== undefined) {
      const fault = check(given[key])
      if (fault !== undefined) faults.push(`"${key}" ${fault}`)
    }
  }
  if (given.name === undefined) faults.unshift('"name" is missing')
  if (given.description === undefined) faults.push('"description" is missing; a model chooses a tool by it')
  if (given.execute === undefined && given.yieldSchema === undefined) {
    faults.push('it can do nothing: give it "execute", or "yieldSchema" for a tool that a person answers')
  }
  for (const key of ['yieldTimeout', 'yieldDefault'])
    if (given[key] !== undefined && given.yieldSchema === undefined)
      faults.push(`"${key}" needs "yieldSchema"`)
  if (given.yieldDefault !== undefined && given.yieldTimeout === undefined)
    faults.push('"yieldDefault" needs "yieldTimeout", after which it is the answer')
  return faults
}
