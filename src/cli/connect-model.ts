import { ToolpostError } from '../core/error.ts'
import type { Model } from '../models/model.ts'
import type { ModelChoice } from './choose-model.ts'

/**
 * Makes the model that was chosen. The provider's package is an optional one. Errors: MISSING_PACKAGE says which
 * to install; INVALID_ARGUMENT when a server offers no model.
 */
export async function connectModel(choice: Exclude<ModelChoice, { kind: 'scripted' }>): Promise<Model> {
  unsetEmpty()
  switch (choice.kind) {
    case 'openai': {
      const { createOpenAI } = await load('@ai-sdk/openai', () => import('@ai-sdk/openai'))
      return createOpenAI()(choice.model)
    }
    case 'anthropic': {
      const { createAnthropic } = await load('@ai-sdk/anthropic', () => import('@ai-sdk/anthropic'))
      return createAnthropic()(choice.model)
    }
    case 'compatible': {
      const { createOpenAI } = await load('@ai-sdk/openai', () => import('@ai-sdk/openai'))
      // Servers that need no key ignore this one; the package insists on some.
      const apiKey = process.env.OPENAI_API_KEY || 'none'
      const model = choice.model ?? (await firstModel(choice.baseUrl, apiKey))
      return createOpenAI({ baseURL: choice.baseUrl, apiKey }).chat(model)
    }
  }
}

/** The providers' packages read these themselves, and take an empty one for a value. */
function unsetEmpty(): void {
  for (const name of ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY']) {
    if (process.env[name]?.trim() === '') delete process.env[name]
  }
}

async function load<Module>(name: string, from: () => Promise<Module>): Promise<Module> {
  try {
    return await from()
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
    if (!isAbsent) throw error
    throw new ToolpostError('MISSING_PACKAGE', `This model needs the package ${name}: npm install ${name}`, {
      cause: error,
    })
  }
}

/** The first model that a server lists and that is not one for embeddings. */
async function firstModel(baseUrl: string, apiKey: string): Promise<string> {
  const url = `${baseUrl.replace(/\/$/, '')}/models`
  const advice = 'TOOLPOST_MODEL or --model names the model.'
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(10_000),
  }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause.message : error.message
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The server of OPENAI_BASE_URL cannot be reached at ${url}: ${cause}.`,
    )
  })
  const names = response.ok ? modelNames(await response.json().catch(() => undefined)) : []
  const [name] = names.filter((each) => !/embed/i.test(each))
  if (name !== undefined) return name
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The server of OPENAI_BASE_URL lists no model at ${url}; ${advice}`,
  )
}

function modelNames(answer: unknown): string[] {
  const list = (answer as { data?: unknown } | undefined)?.data
  if (!Array.isArray(list)) return []
  return list.map((each: { id?: unknown } | null) => each?.id).filter((id) => typeof id === 'string')
}
