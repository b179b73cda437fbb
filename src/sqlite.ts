export { type SqliteOptions, type SqliteStore, sqlite } from './stores/sqlite/sqlite-store.ts'
