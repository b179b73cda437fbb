import { ToolpostError } from '../core/error.ts'
import { UsageError } from './usage-error.ts'

/** Which model plays. */
export type ModelChoice =
  | { readonly kind: 'scripted' }
  | { readonly kind: 'openai' | 'anthropic'; readonly model: string }
  /** A server that speaks OpenAI's chat completions; without a model it is asked which it has. */
  | { readonly kind: 'compatible'; readonly baseUrl: string; readonly model?: string }

/** The options that choose a model. */
export interface ModelOptions {
  readonly model?: string
  readonly scripted?: boolean
}

const defaultModels = { openai: 'gpt-5.6', anthropic: 'claude-sonnet-5' } as const

/** The variables that connect a real model, in a sentence for who has none set. */
export const howToConnect = [
  'A real model answers when OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENAI_BASE_URL is set (the last for any',
  'OpenAI-compatible server, such as Ollama, without a key); TOOLPOST_MODEL or --model NAME chooses which.',
] as const

/**
 * Chooses by the environment: OPENAI_BASE_URL before OPENAI_API_KEY before ANTHROPIC_API_KEY, but a model whose
 * name begins with `claude` goes to Anthropic when its key is there. Without any, the script plays.
 * A variable that is set to nothing counts as unset. Throws a UsageError when a model is named and nothing connects
 * to one. Errors: INVALID_ARGUMENT for a base URL that is none.
 */
export function chooseModel(
  options: ModelOptions,
  environment: NodeJS.ProcessEnv = process.env,
): ModelChoice {
  if (options.scripted === true) {
    if (options.model !== undefined) throw new UsageError('--scripted and --model exclude each other.')
    return { kind: 'scripted' }
  }
  const given = (name: string) => environment[name]?.trim() || undefined
  const [baseUrl, openai, anthropic] = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY'].map(given)
  const model = options.model ?? given('TOOLPOST_MODEL')
  if (anthropic && (model?.startsWith('claude') || (!openai && !baseUrl))) {
    requireUrl('ANTHROPIC_BASE_URL', given('ANTHROPIC_BASE_URL'), 'https://api.anthropic.com/v1')
    return { kind: 'anthropic', model: model ?? defaultModels.anthropic }
  }
  if (baseUrl) {
    requireUrl('OPENAI_BASE_URL', baseUrl, 'http://localhost:11434/v1')
    return { kind: 'compatible', baseUrl, ...(model === undefined ? {} : { model }) }
  }
  if (openai) return { kind: 'openai', model: model ?? defaultModels.openai }
  if (options.model === undefined) return { kind: 'scripted' }
  throw new UsageError(`--model needs a way to it: set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENAI_BASE_URL.`)
}

function requireUrl(variable: string, value: string | undefined, example: string): void {
  if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `${variable} must be the http or https address of a server, such as ${example}; it is ${JSON.stringify(value)}.`,
  )
}
