/** From a name to the names that it points at. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** A graph from its arrows; an arrow from a name to itself is none. */
export function graphOf(arrows: Iterable<readonly [from: string, to: string]>): Graph {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of arrows) {
    const targets = graph.get(from) ?? new Set()
    if (from !== to) targets.add(to)
    graph.set(from, targets)
  }
  return graph
}

/** One way around for every name that can reach itself and stands on no cycle found before: `a -> b -> a`. */
export function cyclesOf(graph: Graph): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  for (const name of [...graph.keys()].sort()) {
    if (seen.has(name)) continue
    const cycle = shortestWayBack(graph, name)
    if (cycle === undefined) continue
    for (const each of cycle) seen.add(each)
    found.push([...cycle, name].join(' -> '))
  }
  return found
}

function shortestWayBack(graph: Graph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    for (const next of graph.get(name) ?? []) {
      if (next === start) return wayTo(cameFrom, start, name)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, name)
      queue.push(next)
    }
  }
  return undefined
}

function wayTo(cameFrom: ReadonlyMap<string, string>, start: string, end: string): string[] {
  const way = [end]
  for (let name = end; name !== start; ) {
    name = cameFrom.get(name) as string
    way.unshift(name)
  }
  return way
}

/** A name and everything that can be reached from it. */
export function reachableFrom(graph: Graph, start: string): Set<string> {
  const reached = new Set([start])
  for (const name of reached) for (const next of graph.get(name) ?? []) reached.add(next)
  return reached
}
