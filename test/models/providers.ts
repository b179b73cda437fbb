import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { ProviderData } from '../../src/core/driver.ts'
import { type AiSdkDriverOptions, aiSdkDriver } from '../../src/models/ai-sdk.ts'

/** The three wire formats, each as a driver over the real provider package at a server's address. */
export const providers = {
  'openai.chat': (url: string, options?: AiSdkDriverOptions) =>
    aiSdkDriver(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('gpt-4.1'), options),
  'openai.responses': (url: string, options?: AiSdkDriverOptions) =>
    aiSdkDriver(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).responses('gpt-5'), options),
  'anthropic.messages': (url: string, options?: AiSdkDriverOptions) =>
    aiSdkDriver(createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('claude-sonnet-4-5'), options),
} as const

export type ProviderName = keyof typeof providers

export const providerNames = Object.keys(providers) as ProviderName[]

/** OpenAI gives its reasoning out, encrypted, only to those who have it keep nothing. */
export const keepNothing: ProviderData = { openai: { store: false } }
