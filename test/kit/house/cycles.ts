/** The shortest cycle through the first node of every cyclic group; empty for an acyclic graph. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const knotted = new Set<string>();
  for (const start of [...graph.keys()].sort()) {
    const cycle = knotted.has(start) ? undefined : findWayBack(graph, start);
    if (cycle !== undefined) {
      cycles.push(cycle);
      for (const node of cycle) knotted.add(node);
    }
  }
  return cycles;
}

/** Breadth-first, so that the cycle is a shortest one. */
function findWayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...wayTo(node, cameFrom), start];
      if (!cameFrom.has(next)) {
        cameFrom.set(next, node);
        queue.push(next);
      }
    }
  }
  return undefined;
}

function wayTo(node: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [node];
  for (let before = cameFrom.get(node); before !== undefined; before = cameFrom.get(before)) way.unshift(before);
  return way;
}
