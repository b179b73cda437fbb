export { processOwner } from './process/process-owner.ts'
export { type SqliteOptions, type SqliteStore, sqlite } from './stores/sqlite/sqlite-store.ts'
