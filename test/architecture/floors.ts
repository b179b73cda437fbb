/** One room of the house: on which floor it is, and which rooms it may look down into. */
export interface Room {
  readonly floor: number
  /** `every room below`: the places where things are wired together. */
  readonly mayImport: readonly string[] | 'every room below'
}

/**
 * The rooms of `src`, by the folder that each is, or by the file for a door. A file belongs to the longest name that
 * it begins with. A new room is a row here and a table in ARCHITECTURE.md.
 */
export const rooms: Readonly<Record<string, Room>> = {
  core: { floor: 0, mayImport: [] },
  runtime: { floor: 1, mayImport: ['core'] },
  protocol: { floor: 1, mayImport: ['core'] },
  process: { floor: 1, mayImport: ['core'] },
  models: { floor: 2, mayImport: ['core'] },
  'stores/memory': { floor: 2, mayImport: ['core'] },
  'stores/sqlite': { floor: 2, mayImport: ['core'] },
  client: { floor: 2, mayImport: ['core', 'protocol'] },
  'executors/function': { floor: 2, mayImport: ['core'] },
  'executors/remote': { floor: 2, mayImport: ['core'] },
  agent: { floor: 3, mayImport: ['core', 'runtime', 'models', 'executors/function', 'stores/memory'] },
  server: {
    floor: 4,
    mayImport: [
      ...['core', 'protocol', 'runtime', 'process'],
      ...['models', 'agent', 'executors/remote', 'stores/memory'],
    ],
  },
  testing: { floor: 4, mayImport: ['core', 'runtime', 'models', 'agent', 'stores/memory'] },
  'index.ts': { floor: 5, mayImport: 'every room below' },
  'sqlite.ts': { floor: 5, mayImport: 'every room below' },
  'client.ts': { floor: 5, mayImport: 'every room below' },
  'host.ts': { floor: 5, mayImport: 'every room below' },
  'testing.ts': { floor: 5, mayImport: 'every room below' },
  'testing-wire.ts': { floor: 5, mayImport: 'every room below' },
  cli: { floor: 6, mayImport: 'every room below' },
}

/** The files that users come in by; whatever none of them reaches is dead. */
export const entrances: readonly string[] = [
  'index.ts',
  'sqlite.ts',
  'client.ts',
  'host.ts',
  'testing.ts',
  'testing-wire.ts',
  'cli/main.ts',
]

/** The rooms that run in a browser too. */
export const browserRooms: readonly string[] = [
  'core',
  'runtime',
  'protocol',
  'client',
  'models',
  'stores/memory',
  'executors/function',
  'executors/remote',
  'agent',
  'testing',
]

/** What of those rooms runs in Node only: servers cannot be opened in a browser. */
export const nodeOnlyFolders: readonly string[] = ['testing/wire']

/** The room of a file, given its path below `src`; undefined when no room has it. */
export function roomOf(path: string): string | undefined {
  const names = Object.keys(rooms).filter((name) => path === name || path.startsWith(`${name}/`))
  return names.sort((a, b) => b.length - a.length)[0]
}

/** Whether a room may import a file of another one. */
export function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  const room = rooms[from]
  const other = rooms[to]
  if (room === undefined || other === undefined) return false
  return room.mayImport === 'every room below' ? other.floor < room.floor : room.mayImport.includes(to)
}
