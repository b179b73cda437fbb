/** A file of a conversation. Its bytes are a blob of the session's store; the log holds this. */
export interface FileReference {
  /** The name of the bytes: `sha256:` and 64 hex digits. */
  readonly digest: string
  /** What the bytes are, such as `image/png`. */
  readonly mediaType: string
  readonly bytes: number
  readonly name?: string
  /** Pixels, of an image. */
  readonly width?: number
  readonly height?: number
}
