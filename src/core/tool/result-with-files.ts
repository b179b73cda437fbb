/** A file that a tool gives beside its result. */
export interface ResultFile {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly name?: string
  readonly width?: number
  readonly height?: number
}

/** A tool's result with files beside it. Made by `withFiles()`. */
export interface ResultWithFiles {
  readonly value: unknown
  readonly files: readonly ResultFile[]
}

/** No JSON can bear it; it is the same in every copy of this package. */
const mark = Symbol.for('toolpost.resultWithFiles')

/** Marks a result and files as what a tool returns together. */
export function markFiles(value: unknown, files: readonly ResultFile[]): ResultWithFiles {
  return Object.freeze({ [mark]: true, value, files: Object.freeze([...files]) })
}

/** A tool's result, and the files beside it. What is not marked, or not what the mark says, is all result. */
export function apartFromFiles(returned: unknown): ResultWithFiles {
  try {
    if (typeof returned === 'object' && returned !== null && mark in returned) {
      const { value, files } = returned as unknown as ResultWithFiles
      if (Array.isArray(files) && files.every(isFile)) return { value, files }
    }
  } catch {
    // A value of a tool's own, which cannot be looked into.
  }
  return { value: returned, files: [] }
}

function isFile({ bytes, mediaType }: ResultFile): boolean {
  return bytes instanceof Uint8Array && typeof mediaType === 'string'
}
