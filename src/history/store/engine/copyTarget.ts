/** The beginning of a COPY into these columns of a table. */
export function copyTarget(table: string, columns: readonly string[]): string {
  return `copy ${table} (${columns.map((name) => `"${name}"`).join(", ")})`;
}
