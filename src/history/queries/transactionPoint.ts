import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Database } from "../store/Database.ts";
import { address, hash, int8 } from "../store/schema/columns.ts";

/** Where a transaction is on the chain. */
export interface IndexedPoint {
  readonly address: Address;
  readonly lt: bigint;
}

/** The account and lt of a transaction of this hash, if the tables have it. */
export async function findTransactionPoint(database: Database, wanted: Hash): Promise<IndexedPoint | undefined> {
  const [row] = await database.query("select account, lt from transactions where hash = $1::bytea", [
    hash.write(wanted),
  ]);
  if (row === undefined) return undefined;
  return { address: address.read(row.account ?? null), lt: int8.read(row.lt ?? null) };
}
