/** The token of an `Authorization` header: 1 to 4,096 characters without white space; undefined for any other header. */
export function bearerOf(header: string | null): string | undefined {
  return /^bearer ([\x21-\x7e\x80-\xff]{1,4096})$/i.exec(header ?? '')?.[1]
}
