/**
 * Stretches of an order, each of which is read only as far as those before it have too few rows: the last one may have
 * none, which the planner does not know, so that it would read all rows of an index to find that out.
 */
export function successive(rows: readonly string[], enough: () => string) {
  const names = rows.map((_sql, at) => `stretch${at}`);
  const parts = rows.map((sql, at) => {
    if (at === 0) return `${names[at]} as materialized (${sql})`;
    const found = names.slice(0, at).map((name) => ` - (select count(*) from ${name})`);
    // A limit of none ends before anything is read.
    return `${names[at]} as materialized (select * from (${sql}) s limit greatest(0, ${enough()}${found.join("")}))`;
  });
  return { names, parts: parts.join(", ") };
}
