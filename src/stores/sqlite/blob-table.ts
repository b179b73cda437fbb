import type { Statements } from './statements.ts'

const keepSql = 'INSERT OR IGNORE INTO blobs (digest, bytes) VALUES (?, ?)'
const holdSql = 'INSERT OR IGNORE INTO blob_holders (digest, stream) VALUES (?, ?)'
const readSql =
  'SELECT bytes FROM blobs JOIN blob_holders USING (digest) WHERE blob_holders.stream = ? AND digest = ?'
const dropHeldSql = `DELETE FROM blobs WHERE digest IN (SELECT digest FROM blob_holders WHERE stream = ?1)
  AND NOT EXISTS (SELECT 1 FROM blob_holders AS other WHERE other.digest = blobs.digest AND other.stream <> ?1)`
const letGoSql = 'DELETE FROM blob_holders WHERE stream = ?'

/** Keeps bytes under their digest, once, and notes that the stream holds them. */
export function keepBlob(statements: Statements, stream: string, digest: string, bytes: Uint8Array): void {
  statements.run(keepSql, digest, bytes)
  statements.run(holdSql, digest, stream)
}

/** The bytes, if the stream holds them. */
export function readBlob(statements: Statements, stream: string, digest: string): Uint8Array | undefined {
  return statements.get(readSql, stream, digest)?.bytes as Uint8Array | undefined
}

/** Removes the blobs that only this stream holds. */
export function dropBlobsOf(statements: Statements, stream: string): void {
  statements.run(dropHeldSql, stream)
  statements.run(letGoSql, stream)
}
