import type { SqlSession } from "../../Database.ts";

/** Tables with fewer changes are left alone: a vacuum costs more than it saves. */
const least = 1_000;

const findTable = `
  select relname::text as name, n_dead_tup > ${least} + n_live_tup / 5 as is_vacuumed
  from pg_stat_user_tables
  where schemaname = 'public'
    and (n_dead_tup > ${least} + n_live_tup / 5 or n_mod_since_analyze > ${least} + n_live_tup / 10)
  order by greatest(n_dead_tup, n_mod_since_analyze) desc
  limit 1`;

/**
 * Vacuums and analyzes the table that needs it most, which a PostgreSQL server does by itself and the built-in engine
 * does not. Returns its name.
 */
export async function vacuumOneTable(session: SqlSession): Promise<string | undefined> {
  const [row] = await session.query(findTable);
  if (row === undefined) return undefined;
  const name = String(row.name);
  await session.run(row.is_vacuumed === true ? `vacuum (analyze) "${name}"` : `analyze "${name}"`);
  return name;
}
