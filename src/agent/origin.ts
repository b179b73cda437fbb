import { ToolpostError } from '../core/error.ts'
import { asJson } from '../core/json/as-json.ts'
import { parseJson } from '../core/json/strict.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import type { JsonValue } from '../core/json/value.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import type { Store } from '../core/store.ts'

const originBytesMax = 4_194_304

/** Keeps what a run was started for and gives its digest. Errors: INVALID_ARGUMENT. */
export async function keepOrigin(store: Store, stream: string, origin: unknown): Promise<string> {
  const json = asJson(origin)
  if (json === undefined) refuse(`it is no JSON: ${whyNotJson(origin)}`)
  const bytes = new TextEncoder().encode(stringifyJson(json))
  if (bytes.length > originBytesMax)
    refuse(`it has ${bytes.length} bytes, and at most ${originBytesMax} are kept`)
  return await store.putBlob(stream, bytes)
}

function refuse(why: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', `"origin" cannot be kept with the run: ${why}.`)
}

/** Errors: STORE_CORRUPT when it is no longer there. */
export async function readOrigin(
  store: Store,
  stream: string,
  digest: string | undefined,
): Promise<JsonValue | undefined> {
  if (digest === undefined) return undefined
  const bytes = await store.getBlob(stream, digest)
  const read =
    bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes), { bytesMax: originBytesMax })
  if (read?.ok === true) return read.value
  throw new ToolpostError('STORE_CORRUPT', 'What the run was started for is no longer in the store.')
}
