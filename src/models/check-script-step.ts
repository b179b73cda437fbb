import { ToolpostError } from '../core/error.ts'
import { asJson } from '../core/json/as-json.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { checkOptions } from '../core/known-keys.ts'
import type { ScriptedCall, ScriptedFile, ScriptedProviderCall, ScriptStep } from './script-step.ts'

const stepKeys: readonly (keyof Exclude<ScriptStep, string>)[] = [
  ...(['text', 'reasoning', 'calls', 'providerCalls', 'files', 'finish', 'usage'] as const),
  ...(['error', 'breakOff'] as const),
]
const callKeys: readonly (keyof ScriptedCall)[] = ['name', 'args', 'argumentsText', 'id']
const providerCallKeys: readonly (keyof ScriptedProviderCall)[] = ['name', 'args', 'result', 'isError', 'id']
const fileKeys: readonly (keyof ScriptedFile)[] = ['mediaType', 'bytes']

/** Errors: INVALID_ARGUMENT, with the step's number from 1, for a step with what no step has, or values that are no JSON. */
export function checkScriptStep(step: unknown, stepNumber: number): asserts step is ScriptStep {
  if (typeof step === 'string') return
  const where = `Step ${stepNumber} of the script`
  checkOptions(step, stepKeys, where)
  const { calls, providerCalls, files } = step as Readonly<Record<string, unknown>>
  checkEach(calls, callKeys, `${where}, calls`)
  checkEach(providerCalls, providerCallKeys, `${where}, providerCalls`)
  checkEach(files, fileKeys, `${where}, files`)
}

/** Errors: INVALID_ARGUMENT for values under these keys that no model could write. */
export function checkJson(given: object, keys: readonly string[], where: string): void {
  for (const key of keys) {
    const value = (given as Readonly<Record<string, unknown>>)[key]
    if (value === undefined || asJson(value) !== undefined) continue
    refuse(`${where} has ${JSON.stringify(key)} that no model could write: ${whyNotJson(value)}.`)
  }
}

function checkEach(list: unknown, keys: readonly string[], where: string): void {
  if (list === undefined) return
  if (!Array.isArray(list)) refuse(`${where} must be a list.`)
  for (const [place, each] of list.entries()) {
    checkOptions(each, keys, `${where}[${place}]`)
    checkJson(
      each,
      keys.filter((key) => key === 'args' || key === 'result'),
      `${where}[${place}]`,
    )
  }
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}
