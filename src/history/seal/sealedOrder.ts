import type { SqlSession } from "../store/Database.ts";
import { allTables } from "../store/migrate/allTables.ts";
import type { SealedApart } from "../store/schema/indexTable.ts";
import { columnName } from "../store/schema/Table.ts";
import { type Partition, sourcesOf } from "./Partition.ts";

interface SealedOrder {
  readonly columns: readonly string[];
  readonly apart: SealedApart | undefined;
}

/** The order of rows in sealed partitions of a table: rows that are read together are next to each other. */
const orders: ReadonlyMap<string, SealedOrder> = new Map(
  allTables.flatMap(({ name, retention }) => {
    if (retention.kind !== "partitioned") return [];
    const { sealedBy, apart } = retention;
    return [[name, { columns: sealedBy.map(columnName), apart }] as const];
  }),
);

/**
 * Half of what a page of the visibility map tells. Who counts rows in an index asks this map about each: rows that
 * follow each other in the order of hashes are then in one group, and its page is read once for all of them.
 */
export const sealedGroupBytes: number = 1 << 27;
/** Groups are told apart by as many bits of a hash at most. */
const maxBits = 16;

/** Rows that are copied together: conditions and an order as SQL. */
export interface SealedPart {
  readonly where: string;
  readonly order: string;
}

/**
 * The rows of a partition in the order in which they are copied. Those that are apart are sorted apart: the first key
 * of a sort decides nearly all of its comparisons.
 */
export async function listSealedParts(
  session: Pick<SqlSession, "query">,
  partition: Partition,
  groupBytes: number,
): Promise<readonly SealedPart[]> {
  const { columns, apart } = orders.get(partition.parent) ?? { columns: [partition.column], apart: undefined };
  const order = columns.join(", ");
  if (apart === undefined) return [{ where: "true", order }];
  const [without, hash] = [columnName(apart.without), columnName(apart.inOrderOf)];
  const bytes = await findBytes(session, sourcesOf(partition), without);
  const bits = Math.min(maxBits, Math.max(0, Math.ceil(Math.log2(bytes / groupBytes))));
  const group = `((get_byte(${hash}, 0) * 256 + get_byte(${hash}, 1)) >> ${maxBits - bits})`;
  // With the first column, of which the sort then compares the beginning, too.
  const key = `set_byte(set_byte('\\x0000', 0, ${group} >> 8), 1, ${group} & 255) || coalesce(${columns[0]}, '')`;
  return [
    { where: `${without} is null`, order: `${key}, ${order}` },
    { where: `${without} is not null`, order },
  ];
}

/** About how many bytes the rows without a value take in these tables. */
async function findBytes(
  session: Pick<SqlSession, "query">,
  names: readonly string[],
  without: string,
): Promise<number> {
  const each = names.map(
    (name) => `
      select pg_relation_size('"${name}"') * count(*) filter (where ${without} is null) / greatest(1, count(*)) as bytes
      from "${name}"`,
  );
  const [row] = await session.query(`select sum(bytes) as bytes from (${each.join(" union all ")}) s`);
  return Number(row?.bytes ?? 0);
}
