import type { Database, SqlSession } from "../../src/history/store/Database.ts";
import { addressToHex } from "../../src/history/store/schema/columns.ts";
import type { Address } from "../../src/model/Address.ts";

/** How a copy of a chain differs from it. */
export interface CloneShift {
  /** Distinguishes the copies: hashes and accounts of each are its own; 0 is the chain itself. */
  readonly copy: number;
  readonly blocks: number;
  readonly lts: number;
}

/** What all copies share. */
export interface CloneShared {
  /** Accounts that are the same in every copy, and so have rows of all of them. */
  readonly busy: readonly Address[];
  readonly commonBody: string;
  /** Half of the jetton wallets and half of the items are of these two. */
  readonly hotMaster: Address;
  readonly hotCollection: Address;
}

/** Where blocks begin: they decide how wide partitions are. */
export const blockTables = ["blocks", "shard_state"];
/** All others that are copied. */
export const rowTables = [
  ...["transactions", "messages", "account_states", "traces", "trace_accounts", "actions", "action_accounts"],
  ...["jetton_transfers", "nft_transfers", "latest_account_states", "jetton_wallets", "nft_items"],
];
const tables = [...blockTables, ...rowTables];
/** Tables with one row an account: busy accounts have theirs already. */
const keys: Readonly<Record<string, string>> = {
  latest_account_states: "account",
  jetton_wallets: "address",
  nft_items: "address",
};

const named = (names: string) => new Set(names.split(" "));
const lts = named("lt start_lt end_lt trace_end_lt action_end_lt tx_lt created_lt last_trans_lt last_transaction_lt");
const seqnos = named(
  "seqno block_seqno mc_block_seqno mc_seqno mc_seqno_start mc_seqno_end trace_mc_seqno_end master_ref_seqno",
);
const times = named("now gen_utime start_utime end_utime trace_end_utime action_end_utime tx_now created_at timestamp");
const hashes = named(
  "hash trace_id prev_trans_hash state_hash_before state_hash_after in_msg_hash hash_norm out_tx_hash root_hash " +
    "file_hash action_id external_hash trace_external_hash tx_hash last_trans_hash after_data_hash data_hash",
);
const accounts = named(
  "account source destination address owner source_wallet nft_item old_owner new_owner response_destination " +
    "owner_address real_owner",
);

const bytes = (address: Address) => `'\\x${addressToHex(address)}'::bytea`;

/**
 * A hash of a copy: that of the chain, turned by as many bytes, which takes a tenth of the time of another hash. All of
 * its bytes are as random as before, and no two copies have the same one.
 */
function turned(sql: string, copy: number, from = 1): string {
  return `substring(${sql} from ${from + copy}) || substring(${sql} from ${from} for ${copy})`;
}

/** A hash has so many bytes, by which copies are told apart. */
const maxCopies = 32;

/** The value of a column in a copy, as SQL. */
function copiedValue(
  table: string,
  column: string,
  { copy, blocks, lts: shift }: CloneShift,
  shared: CloneShared,
): string {
  const hashed = (sql: string) => turned(sql, copy);
  const account = (sql: string) =>
    `case when ${sql} in (${shared.busy.map(bytes).join(", ")}) then ${sql} else '\\x80'::bytea || ${turned(sql, copy, 2)} end`;
  const half = (key: string, hot: Address) =>
    `case when get_byte(${key}, 5) % 2 = 0 then ${bytes(hot)} else ${column} end`;
  if (column === "body_hash")
    return `case when body_hash = '\\x${shared.commonBody}'::bytea then body_hash else ${hashed("body_hash")} end`;
  if (column === "jetton" || column === "jetton_master")
    return half(column === "jetton" ? "address" : "source_wallet", shared.hotMaster);
  if (column === "collection_address" || column === "nft_collection")
    return half(column === "nft_collection" ? "nft_item" : "address", shared.hotCollection);
  if (column === "id") return `id + ${blocks}::bigint * 1048576`;
  if (lts.has(column)) return `${column} + ${shift}::bigint`;
  if (seqnos.has(column) || times.has(column)) return `${column} + ${blocks}`;
  if (table === "actions" && column === "transactions")
    return `array(select ${hashed("each")} from unnest(transactions) with ordinality u(each, at) order by at)`;
  if (table === "actions" && column === "accounts")
    return `array(select ${account("each")} from unnest(accounts) with ordinality u(each, at) order by at)`;
  if (hashes.has(column)) return hashed(column);
  return accounts.has(column) ? account(column) : `"${column}"`;
}

/** Writes the rows of the first blocks, or a chain of the same kind whose hashes and most accounts are other ones. */
export async function cloneRows(
  database: Database,
  names: readonly string[],
  shift: CloneShift,
  shared: CloneShared,
): Promise<void> {
  if (shift.copy >= maxCopies) throw new Error(`a chain can be copied ${maxCopies - 1} times, not ${shift.copy}`);
  await database.write(async (session) => {
    for (const table of names) {
      const columns = await listColumns(session, table);
      const list = columns.map((each) => `"${each}"`).join(", ");
      const key = keys[table];
      const values = columns.map((column) => copiedValue(table, column, shift, shared)).join(", ");
      const where = key === undefined ? "" : `where ${key} not in (${shared.busy.map(bytes).join(", ")})`;
      const rows = shift.copy === 0 ? `${list} from seed.${table}` : `${values} from seed.${table} ${where}`;
      await session.run(`insert into ${table} (${list}) select ${rows}`);
    }
  });
}

/** In the order of the table. */
async function listColumns(session: Pick<SqlSession, "query">, table: string): Promise<readonly string[]> {
  const rows = await session.query(
    `select column_name::text as name from information_schema.columns
     where table_schema = 'seed' and table_name = $1 order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => String(name));
}

/** Moves the rows of the tables aside, as those that are copied. */
export async function takeSeed(database: Database): Promise<void> {
  const moved = tables.map((name) => `create table seed.${name} as select * from ${name}; truncate ${name}`);
  await database.write((session) => session.run(["create schema seed", ...moved].join(";")));
}

export async function dropSeed(database: Database): Promise<void> {
  await database.write((session) => session.run("drop schema seed cascade"));
}
