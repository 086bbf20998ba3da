import type { Database } from "../../../../src/history/store/Database.ts";

/** How a value of a column changes from one round to the next; others stay. */
type Change = (column: string) => string;

const hash: Change = (column) => `case when ${column} is not null then sha256(${column} || int4send(i)) end`;
const hashes: Change = (column) => `array(select ${hash("h")} from unnest(${column}) h)`;
const next: Change = (column) => `${column} + i`;
const later: Change = (column) => `${column} + i::bigint * ${ltOfRound}`;

/** Logical times that a round of a local network takes. */
const ltOfRound = 2_000_000;

const times = ["now", "gen_utime", "created_at"];

const changes: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(
    ["root_hash", "file_hash", "hash", "trace_id", "prev_trans_hash", "in_msg_hash"].map((name) => [name, hash]),
  ),
  ...Object.fromEntries(["out_tx_hash", "action_id"].map((name) => [name, hash])),
  transactions: hashes,
  ...Object.fromEntries(
    ["seqno", "block_seqno", "mc_seqno", "mc_block_seqno", "trace_mc_seqno_end"].map((name) => [name, next]),
  ),
  ...Object.fromEntries(["mc_seqno_start", "mc_seqno_end", "master_ref_seqno"].map((name) => [name, next])),
};

/** The tables with rows of every round, and the condition for those of the newest one. */
const rounds: Readonly<Record<string, string>> = {
  blocks: "mc_block_seqno = newest",
  shard_state: "mc_seqno = newest",
  transactions: "mc_block_seqno = newest",
  messages: "hash in (select in_msg_hash from transactions where mc_block_seqno = newest)",
  traces: "mc_seqno_end = newest",
  trace_accounts: "trace_id in (select trace_id from traces where mc_seqno_end = newest)",
  actions: "trace_mc_seqno_end = newest",
  action_accounts: "trace_id in (select trace_id from traces where mc_seqno_end = newest)",
};

function changeOf(column: string): string {
  const own = `r."${column}"`;
  const change = changes[column];
  if (change !== undefined) return change(own);
  if (times.includes(column) || column.endsWith("_utime")) return next(own);
  return column === "lt" || column.endsWith("_lt") ? later(own) : own;
}

/** Repeats the newest masterchain block, in which nobody did anything, so many times as an idle network would. */
export async function ageIndex(database: Database, count: number): Promise<void> {
  const [row] = await database.query("select max(next_seqno) - 1 as newest from segments");
  const newest = String(row?.newest);
  for (const [table, condition] of Object.entries(rounds)) {
    const columns = await database.query(
      `select column_name::text as name from information_schema.columns
       where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
      [table],
    );
    const values = columns.map(({ name }) => changeOf(String(name))).join(", ");
    await database.write((session) =>
      session.run(
        `insert into ${table} select ${values} from generate_series(1, ${count}) i,
         (select * from ${table} where ${condition.replaceAll("newest", newest)}) r`,
      ),
    );
  }
  await database.write((session) => session.run(`update segments set next_seqno = next_seqno + ${count}`));
}
