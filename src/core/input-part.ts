/** How much of an image a model is to see: `high` is enough to read a page, `original` keeps what can be kept. */
export type ImageDetail = 'high' | 'original'

/** Bytes, or a `data:` address that holds them as base64. Nothing is fetched from elsewhere. */
export type InputData = Uint8Array | string

/** A part of what the user says. */
export type InputPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image'
      readonly data: InputData
      /** What it is said to be; the bytes themselves decide. */
      readonly mediaType?: string
      readonly name?: string
      /** Default `high`. */
      readonly detail?: ImageDetail
    }
  | {
      readonly type: 'file'
      readonly data: InputData
      /** `application/pdf`, `application/json`, `text/...` or `image/...`. */
      readonly mediaType: string
      readonly name?: string
    }

/** What a run is started with: a text, or a text with images and files. */
export type RunInput = string | readonly InputPart[]
