/** Metrics by name, each with the values of all its label sets. */
export type Metrics = ReadonlyMap<string, readonly number[]>;

/** Parses the Prometheus text format. */
export function readMetrics(text: string): Metrics {
  const found = new Map<string, number[]>();
  for (const line of text.split("\n")) {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{.*\})?\s+(\S+)/.exec(line);
    if (match === null) continue;
    const [, name = "", value = ""] = match;
    const values = found.get(name);
    if (values === undefined) found.set(name, [Number(value)]);
    else values.push(Number(value));
  }
  return found;
}

/** The sum over all label sets; zero for an unknown metric. */
export function sumOf(metrics: Metrics, name: string): number {
  return (metrics.get(name) ?? []).reduce((sum, value) => sum + value, 0);
}
