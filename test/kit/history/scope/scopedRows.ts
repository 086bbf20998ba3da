import { entityList } from "../../../../src/history/entities/indexedEntities.ts";
import type { Scope } from "../../../../src/history/scope/Scope.ts";
import type { Database, SqlRow } from "../../../../src/history/store/Database.ts";
import { addressList, hashList } from "../../../../src/history/store/schema/columns.ts";
import { columnName } from "../../../../src/history/store/schema/Table.ts";

type Queryable = Pick<Database, "query">;

/** Rows by table, as sorted text. */
export type RowTexts = Readonly<Record<string, readonly string[]>>;

/** All states: those with their transactions, and those apart. */
const allStates = `(
  select s.account, s.hash, s.lt, s.balance, s.balance_extra, s.status, s.frozen_hash, s.data_hash, s.code_hash
  from account_states s
  union
  select t.account, t.state_hash_after, t.lt, t.after_balance, t.after_balance_extra, t.end_status, t.after_frozen_hash,
    t.after_data_hash, t.after_code_hash
  from transactions t where t.after_balance is not null
)`;

/**
 * Every transaction with the code of its account after its masterchain block; the one before where the block deleted
 * the account.
 */
const codedTransactions = `
  select t.hash, t.trace_id, t.account, t.mc_block_seqno, (
    select s.code_hash from ${allStates} s
    where s.account = t.account and s.code_hash is not null and s.lt <= (
      select max(x.lt) from transactions x where x.account = t.account and x.mc_block_seqno = t.mc_block_seqno
    ) and (t.end_status = 'active' or t.orig_status = 'active')
    order by s.lt desc limit 1
  ) as code_hash
  from transactions t`;

/** Whether an account had one of some codes after a block with its transactions, or before the first of them. */
const hadCode = `exists (
  select 1 from ${allStates} s where s.account = c.account and s.code_hash = any($2::bytea[])
  and s.lt <= (
    select max(x.lt) from transactions x where x.account = c.account and x.mc_block_seqno = c.mc_block_seqno
  )
  and s.lt >= coalesce((
    select max(b.lt) from ${allStates} b where b.account = c.account and b.lt < (
      select min(x.lt) from transactions x where x.account = c.account and x.mc_block_seqno = c.mc_block_seqno
    )
  ), 0)
)`;

/** The traces that touch a scope, by the rows of an index of the whole chain. */
async function listKept(whole: Queryable, scope: Scope): Promise<readonly string[]> {
  const named = [...scope.accounts, ...scope.jettons, ...scope.collections];
  const rows = await whole.query(
    `select distinct '\\x' || encode(c.trace_id, 'hex') as id from (${codedTransactions}) c where c.account = any($1::bytea[])
     or c.code_hash = any($2::bytea[]) or ${hadCode}
     or c.code_hash is not null and c.account in (select address from jetton_wallets where jetton = any($3::bytea[]))
     or c.code_hash is not null and c.account in (select address from nft_items where collection_address = any($4::bytea[]))`,
    [addressList(named), hashList(scope.codeHashes), addressList(scope.jettons), addressList(scope.collections)],
  );
  return rows.map(({ id }) => String(id));
}

/** Accounts of the zero states that are in the scope: they have no transaction. */
const zeroStates = `
  select s.account from account_states s
  where s.lt = 0 and (s.account = any($2::bytea[]) or s.code_hash = any($3::bytea[]))`;

const keptTransactions = "select * from transactions where trace_id = any($1::bytea[])";

/** The states of accounts after the blocks in which they have a transaction of a kept trace. */
const keptStates = `
  select s.* from ${allStates} s where exists (
    select 1 from transactions x join (${keptTransactions}) k on k.account = x.account and k.mc_block_seqno = x.mc_block_seqno
    where x.account = s.account and x.lt = s.lt
  ) or s.lt = 0 and (
    s.account in (${zeroStates}) or s.account in (select k.account from (${keptTransactions}) k where k.mc_block_seqno = 1)
  )`;

const byTrace = ["transactions", "traces", "actions", "jetton_transfers", "jetton_burns", "nft_transfers"];
const byTraceOnly = ["action_accounts", "trace_accounts"];

function statements(): ReadonlyMap<string, string> {
  const ofTrace = [...byTrace, ...byTraceOnly].map((name): [string, string] => [
    name,
    `select t::text as line from ${name} t where t.trace_id = any($1::bytea[])`,
  ]);
  return new Map([
    ...ofTrace,
    ["blocks", "select t::text as line from blocks t"],
    ["shard_state", "select t::text as line from shard_state t"],
    ["open_edges", "select t::text as line from open_edges t"],
    [
      "messages",
      `select t::text as line from messages t where t.hash in (select in_msg_hash from (${keptTransactions}) k)
         or t.out_tx_hash in (select hash from (${keptTransactions}) k)`,
    ],
    ["account_states", `select t::text as line from (${keptStates}) t`],
    ["codes", `select t::text as line from codes t where t.hash in (select s.code_hash from (${keptStates}) s)`],
    [
      "latest_account_states",
      `select distinct on (s.account) concat_ws(' ', s.account, s.hash, s.balance, s.status, s.frozen_hash, s.data_hash, s.code_hash, s.lt) as line
       from (${keptStates}) s order by s.account, s.lt desc`,
    ],
    [
      "jetton_wallet_changes",
      `select t::text as line from jetton_wallet_changes t
       join (select distinct account, mc_block_seqno from (${keptTransactions}) k) k
         on k.account = t.address and k.mc_block_seqno = t.mc_seqno`,
    ],
    [
      "undecided_traces",
      `select ${undecidedLine} as line from traces t where t.state <> 'complete' and t.trace_id <> all($1::bytea[])`,
    ],
  ]);
}

/** The rows that an index with a scope has to have, from those of an index of the whole chain. */
export async function expectedRows(whole: Queryable, scope: Scope): Promise<RowTexts> {
  const kept = await listKept(whole, scope);
  const named = addressList([...scope.accounts, ...scope.jettons, ...scope.collections]);
  const params = [kept, named, hashList(scope.codeHashes)];
  const found: Record<string, readonly string[]> = {};
  for (const [name, sql] of statements()) {
    const max = sql.includes("$2") || sql.includes("$3") ? 3 : sql.includes("$1") ? 1 : 0;
    found[name] = lines(await whole.query(sql, params.slice(0, max)));
  }
  return found;
}

const undecidedLine = "concat_ws(' ', t.trace_id, t.state, t.nodes, t.edges, t.pending_edges, t.end_lt)";

/** Tables that are not compared as they are. */
const storedLines: Readonly<Record<string, string>> = {
  undecided_traces: undecidedLine,
  latest_account_states:
    "concat_ws(' ', t.account, t.hash, t.balance, t.status, t.frozen_hash, t.data_hash, t.code_hash, t.last_trans_lt)",
};

/** The same tables of an index with a scope. */
export async function storedRows(scoped: Queryable): Promise<RowTexts> {
  const found: Record<string, readonly string[]> = {};
  for (const name of statements().keys()) {
    const line = storedLines[name] ?? "t::text";
    const sql = `select ${line} as line from ${name === "account_states" ? allStates : name} t`;
    found[name] = lines(await scoped.query(sql));
  }
  return found;
}

/** What an index lacks and what it has too much, in words. */
export function listDifferences(stored: RowTexts, expected: RowTexts): readonly string[] {
  return Object.entries(expected).flatMap(([name, rows]) => {
    const there = new Set(stored[name]);
    const wanted = new Set(rows);
    const missing = rows.filter((row) => !there.has(row)).map((row) => `${name} lacks ${row}`);
    const others = [...there].filter((row) => !wanted.has(row)).map((row) => `${name} has ${row}`);
    return [...missing, ...others, ...(stored[name]?.length === rows.length ? [] : [`${name}: other number of rows`])];
  });
}

function lines(rows: readonly SqlRow[]): readonly string[] {
  return rows.map(({ line }) => String(line)).sort();
}

/**
 * Rows of entities that differ: each row that the whole index made in a block of a kept transaction must be there, and
 * a row that is there must be that of the whole index, unless a later transaction outside changed it.
 */
export async function compareEntities(whole: Queryable, scoped: Queryable, scope: Scope): Promise<readonly string[]> {
  const kept = await listKept(whole, scope);
  const wrong: string[] = [];
  for (const [, { table, account }] of entityList) {
    const names = table.names.filter((name) => name !== "id");
    const has = (name: string) => table.names.includes(name);
    const shown = `concat_ws(' ', ${names.map((name) => `t."${name}"`).join(", ")})`;
    const id = table.key.map((name) => `t."${columnName(name)}"`).join(" || ");
    const lt = has("last_transaction_lt") ? "t.last_transaction_lt" : "null::bigint";
    const select = (where: string) =>
      `select encode(${id}, 'hex') as key, ${shown} as line, ${lt}::text as lt from ${table.name} t where ${where}`;
    const rows = await whole.query(select("true"));
    const due = await whole.query(
      select(`exists (
        select 1 from transactions x join transactions k on k.account = x.account and k.mc_block_seqno = x.mc_block_seqno
        where x.account = t."${columnName(account)}" and x.lt = ${lt} and k.trace_id = any($1::bytea[])
      )`),
      [kept],
    );
    const stored = new Map((await scoped.query(select("true"))).map((row) => [String(row.key), row]));
    const known = new Map(rows.map((row) => [String(row.key), row]));
    for (const { key: each, line } of due) {
      const there = stored.get(String(each))?.line;
      if (there !== line) wrong.push(`${table.name}: ${line}; is ${there}`);
    }
    for (const { key: each, line, lt: at } of stored.values()) {
      const there = known.get(String(each));
      const isSame =
        there?.line === line || (there !== undefined && at !== null && BigInt(String(at)) < BigInt(String(there.lt)));
      if (!isSame) wrong.push(`${table.name}, unexpected: ${line}`);
    }
  }
  return wrong;
}

/** A random scope over what an index of the whole chain has. */
export async function chooseScope(whole: Queryable, random: { int(below: number): number }): Promise<Scope> {
  const pick = async (sql: string, max: number): Promise<readonly string[]> => {
    const rows = (await whole.query(sql)).map(({ item }) => String(item)).sort();
    const count = random.int(max + 1);
    return Array.from({ length: Math.min(count, rows.length) }, () => rows[random.int(rows.length)] as string);
  };
  const address = (column: string) =>
    `(get_byte(${column}, 0) - 128) || ':' || encode(substring(${column} from 2), 'hex') as item`;
  const scope = {
    accounts: await pick(`select distinct ${address("account")} from transactions`, 2),
    jettons: await pick(`select ${address("address")} from jetton_masters`, 1),
    collections: await pick(`select ${address("address")} from nft_collections`, 1),
    codeHashes: await pick("select encode(hash, 'hex') as item from codes", 1),
  };
  const isEmpty = Object.values(scope).every(({ length }) => length === 0);
  if (isEmpty) return chooseScope(whole, random);
  // Every text was made by the database from an address or a hash.
  return { ...(scope as unknown as Scope), from: undefined, until: undefined };
}
