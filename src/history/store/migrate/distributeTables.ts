import type { Database, SqlSession } from "../Database.ts";
import { probeTable } from "../schema/gateTable.ts";
import type { DistributionGroup, Placement } from "../schema/placement.ts";
import { columnName } from "../schema/Table.ts";
import { allTables } from "./allTables.ts";

type Queryable = Pick<SqlSession, "query">;

/** The first table of each group; the others have their rows where it has them. */
const leaders: Readonly<Record<DistributionGroup, string>> = { bytes: "latest_account_states", seqno: "blocks" };

/** Where each table is, with the names of columns in the database. */
export const placements: ReadonlyMap<string, Placement> = new Map(
  allTables.map(({ name, placement }) => [
    name,
    placement.kind === "distributed" ? { ...placement, by: columnName(placement.by) } : placement,
  ]),
);

/** The tables of a cluster that are on the coordinator alone and should not be; none on a single machine. */
export async function listUnplaced(database: Queryable & Pick<Database, "layout">): Promise<readonly string[]> {
  if (database.layout !== "distributed") return [];
  const rows = await database.query(
    `select c.relname::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
  );
  const placed = new Set(rows.map(({ name }) => String(name)));
  const wanted = [...placements].flatMap(([name, { kind }]) => (kind === "local" ? [] : name));
  return [...wanted, probeTable].filter((name) => !placed.has(name));
}

/** Distributes tables over the machines of a cluster, with the rows they have; the leaders of groups come first. */
export async function distributeTables(database: Database, names: readonly string[]): Promise<void> {
  const isLeader = (name: string) => Object.values(leaders).includes(name);
  const ordered = [...names].sort((a, b) => Number(isLeader(b)) - Number(isLeader(a)));
  for (const name of ordered) {
    await database.write(async (session) => {
      if (name === probeTable) return makeProbe(session);
      await session.query(distributeSql(name, placements.get(name)), [name]);
    });
  }
}

function distributeSql(name: string, placement: Placement | undefined): string {
  if (placement?.kind !== "distributed") return "select create_reference_table($1)";
  const leader = leaders[placement.group];
  const group = leader === name ? "none" : leader;
  return `select create_distributed_table($1, '${placement.by}', colocate_with => '${group}')`;
}

/** A table with a part on every machine; see `SnapshotGate`. */
async function makeProbe(session: SqlSession): Promise<void> {
  await session.run(`create table if not exists ${probeTable} (place int)`);
  await session.query(
    `select create_distributed_table('${probeTable}', 'place', colocate_with => 'none', shard_count => (
       select count(*)::int from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'
     ))`,
  );
}
