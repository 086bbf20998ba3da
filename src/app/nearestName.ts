/** The most similar name: at most two edits away, and less than half of the name. */
export function findNearestName(text: string, names: readonly string[]): string | undefined {
  const max = Math.min(2, Math.floor((text.length - 1) / 2));
  const ranked = names.map((name) => ({ name, steps: countSteps(text, name) })).sort((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best !== undefined && best.steps <= max ? best.name : undefined;
}

/** The edit distance: insertions, deletions, replacements and swaps of neighbours. */
function countSteps(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, next];
  }
  return last[to.length] ?? 0;
}

/** A hint for an unknown name: the most similar one, or all of them. */
export function suggest(text: string, names: readonly string[]): string {
  const nearest = findNearestName(text, names);
  return nearest === undefined ? `use one of: ${names.join(", ")}` : `did you mean ${nearest}?`;
}
