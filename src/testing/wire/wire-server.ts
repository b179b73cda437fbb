import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseJson } from '../../core/json/strict.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/value.ts'
import { messageOf } from '../../core/message-of.ts'
import { messagesFormat } from './anthropic/messages-format.ts'
import { deliver } from './deliver.ts'
import { isModelPath, type ModelLists, modelAnswer, modelFormat } from './model-list.ts'
import { chatFormat } from './openai-chat/chat-format.ts'
import { responsesFormat } from './openai-responses/responses-format.ts'
import { checkWireOptions, checkWireStep } from './read-options.ts'
import type { WireFormat } from './wire-format.ts'
import { WireRefusal } from './wire-refusal.ts'
import { faultsOf, type WireStep, wireAnswer } from './wire-step.ts'

/** The answers in order, or a function that answers each request. Steps count from 1. */
export type WireScript = readonly WireStep[] | ((body: JsonObject, stepNumber: number) => WireStep)

export interface WireServerOptions {
  readonly script: WireScript
  /** The names of the models that the server has, whichever format; default every name that begins as one of the provider's. */
  readonly models?: readonly string[]
}

/** A request as the server saw it. */
export interface WireRequest {
  readonly path: string
  readonly body: JsonValue
  /** Why it was refused; absent when it was answered from the script. */
  readonly refused?: { readonly status: number; readonly message: string }
}

/** A server that speaks like the providers. */
export interface WireServer extends AsyncDisposable {
  /** Where it listens, without a path: `http://127.0.0.1:PORT`. Providers take it with `/v1` behind. */
  readonly url: string
  /** All requests so far, in order. */
  readonly requests: readonly WireRequest[]
  /** How many steps of the script were not asked for yet; Infinity for a function. */
  remaining(): number
  /** Cuts all connections and stops listening. */
  close(): Promise<void>
}

/**
 * Starts a server on a free port of this machine that answers from a script in the formats of OpenAI
 * (`POST /v1/chat/completions`, `POST /v1/responses`) and Anthropic (`POST /v1/messages`), streamed or whole, and
 * refuses what the providers refuse, in their forms: bodies that break the published schemas, tools that they do not
 * take, models and headers that are not theirs, results without calls and calls without results, and reasoning that was
 * given out and does not come back as it was. A refused request uses up no step; one beyond the script, or for which the
 * script's function throws or gives no step, is refused with status 400. `GET /v1/models` lists the models.
 *
 * OpenAI's chat gives no reasoning out; its responses give a summary and encrypted content when the request asks for
 * them; Anthropic's messages give thinking when the request turns it on.
 *
 * Errors: INVALID_ARGUMENT for an option or a step of the script that is none.
 */
export async function wireServer(options: WireServerOptions): Promise<WireServer> {
  checkWireOptions(options)
  const { script, models } = options
  const [chat, messages] = [chatFormat(), messagesFormat()]
  const formats = [chat, responsesFormat(), messages]
  const lists = { openai: chat, anthropic: messages }
  const requests: WireRequest[] = []
  let asked = 0
  const nextStep = (body: JsonObject) => {
    const step = typeof script === 'function' ? stepFrom(script, body, asked + 1) : script[asked]
    if (step === undefined)
      throw new WireRefusal(`The script has ${asked} steps and is asked for step ${asked + 1}.`)
    asked += 1
    return { step, number: asked }
  }
  const server = createServer((request, response) => {
    void serve({ formats, lists, requests, nextStep, models }, request, response).catch(() =>
      response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    remaining: () => (typeof script === 'function' ? Infinity : script.length - asked),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Errors: WireRefusal when the function throws or gives what is no step. */
function stepFrom(
  script: Exclude<WireScript, readonly WireStep[]>,
  body: JsonObject,
  stepNumber: number,
): WireStep {
  try {
    const step = script(body, stepNumber)
    checkWireStep(step, stepNumber)
    return step
  } catch (thrown) {
    throw new WireRefusal(`The script failed: ${messageOf(thrown)}`)
  }
}

interface Serving {
  readonly formats: readonly WireFormat[]
  readonly lists: ModelLists
  readonly requests: WireRequest[]
  readonly nextStep: (body: JsonObject) => { step: WireStep; number: number }
  readonly models: readonly string[] | undefined
}

async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await textOf(request)
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const format = serving.formats.find((each) => each.path === path)
  if (request.method === 'GET' && isModelPath(path)) return listModels(serving, request, response, path)
  if (format === undefined || request.method !== 'POST') {
    return answerJson(response, 404, { error: { message: 'Not found.' } })
  }
  const parsed = parseJson(text, bodyLimits)
  const body: JsonValue = parsed.ok ? parsed.value : text
  try {
    const { step, number } = take(serving, format, request, body)
    serving.requests.push({ path, body })
    const reply = format.reply(body as JsonObject, wireAnswer(step, number))
    const isStreamed = (body as JsonObject).stream === true
    await deliver(response, reply, isStreamed, faultsOf(step).cutAfterBytes)
  } catch (thrown) {
    if (!(thrown instanceof WireRefusal)) throw thrown
    const { status, message } = thrown
    serving.requests.push({ path, body, refused: { status, message } })
    answerJson(response, status, format.errorBody(thrown, serving.requests.length))
  }
}

function listModels(
  { lists, models }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const headers = headersOf(request)
  try {
    answerJson(response, 200, modelAnswer(lists, headers, path, models))
  } catch (thrown) {
    if (!(thrown instanceof WireRefusal)) throw thrown
    answerJson(response, thrown.status, modelFormat(lists, headers).errorBody(thrown, 0))
  }
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return headers as Readonly<Record<string, string | undefined>>
}

/** The step that answers a request. Errors: WireRefusal for a request that is wrong, or a step that refuses. */
function take(serving: Serving, format: WireFormat, request: IncomingMessage, body: JsonValue) {
  format.checkHeaders(headersOf(request))
  if (!isJsonObject(body)) throw new WireRefusal('The body of the request is no JSON object.')
  format.checkBody(body)
  const model = String(body.model)
  const isKnown = serving.models?.includes(model) ?? format.models.test(model)
  if (!isKnown)
    throw new WireRefusal(`There is no model "${model}".`, { status: 404, code: 'model_not_found' })
  const taken = serving.nextStep(body)
  const { status, error = 'The script says so.' } = faultsOf(taken.step)
  if (status !== undefined) throw new WireRefusal(error, { status })
  return taken
}

const bodyLimits = { bytesMax: 32 * 1024 * 1024, depthMax: 1_000, membersMax: 10_000_000 }

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
