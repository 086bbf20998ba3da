/** PostgreSQL refuses to start with fewer, and keeps no more open by default. */
const [least, max] = [64, 1_000] as const;

/** How many files the built-in engine keeps open at a time: a quarter of what the process may have. */
export function engineFiles(openFileLimit: number): number {
  return Math.max(Math.min(Math.floor(openFileLimit / 4), max), least);
}
