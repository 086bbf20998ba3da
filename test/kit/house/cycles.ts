/** The shortest cycle through the first node of every cyclic group; empty for an acyclic graph. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const knotted = new Set<string>();
  for (const start of [...leadingOn(graph)].sort()) {
    const cycle = knotted.has(start) ? undefined : findWayBack(graph, start);
    if (cycle !== undefined) {
      cycles.push(cycle);
      for (const node of cycle) knotted.add(node);
    }
  }
  return cycles;
}

/** The nodes that remain when those without a way on are removed again and again: all cycles are among them. */
function leadingOn(graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const left = new Set(graph.keys());
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const node of left) if (!graph.get(node)?.some((next) => left.has(next))) left.delete(node);
  }
  return left;
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
