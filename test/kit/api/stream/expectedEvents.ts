import type { Database } from "../../../../src/history/store/Database.ts";
import type { StreamJson } from "./streamClients.ts";

/** Identifies an event. */
export type EventMark = string;

/** The mark of a received event. */
export function markOf(event: StreamJson): EventMark {
  const { type } = event;
  const of = (value: unknown) => value as Readonly<Record<string, unknown>>;
  const list = (value: unknown, name: string) => (value as readonly StreamJson[]).map((each) => each[name]).join(" ");
  switch (type) {
    case "transactions":
      return `transactions ${list(event.transactions, "hash")}`;
    case "actions":
      return `actions ${list(event.actions, "action_id")}`;
    case "trace":
      return `trace ${event.trace_external_hash_norm} ${Object.keys(of(event.transactions)).join(" ")}`;
    case "account_state_change":
      return `account_state_change ${event.account} ${of(event.state).hash}`;
    case "jettons_change":
      return `jettons_change ${of(event.jetton).address} ${of(event.jetton).balance}`;
    case "blocks":
      return `blocks ${of(event.mc_block).seqno} ${of(event.mc_block).root_hash}`;
    default:
      return String(type);
  }
}

/** The accounts and traces in an index. */
export interface Known {
  readonly accounts: readonly string[];
  readonly traces: readonly string[];
}

const addressSql = (column: string) =>
  `case when get_byte(${column}, 0) = 127 then '-1:' else '0:' end || upper(right(encode(${column}, 'hex'), 64))`;
const hashSql = (column: string) => `encode(${column}, 'base64')`;

async function texts(database: Pick<Database, "query">, sql: string, params: readonly string[] = []) {
  return (await database.query(sql, params)).map((row) => ({ seqno: Number(row.seqno), mark: String(row.mark) }));
}

export async function listKnown(database: Pick<Database, "query">): Promise<Known> {
  const accounts = await database.query(`select distinct ${addressSql("account")} as name from transactions`);
  const traces = await database.query(
    `select ${hashSql("external_hash_norm")} as name from traces where state = 'complete' and external_hash_norm is not null`,
  );
  const names = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ name }) => String(name)).toSorted();
  return { accounts: names(accounts), traces: names(traces) };
}

/**
 * The events a subscription must deliver, computed from the rows of the index alone: by block, then type, then chain
 * time.
 */
export async function listExpected(
  database: Pick<Database, "query">,
  { accounts, traces }: Known,
): Promise<readonly EventMark[]> {
  const whose = `{${accounts.join(",")}}`;
  const ofTrace = "from traces r where r.state = 'complete'";
  const lists = await Promise.all([
    texts(
      database,
      `select r.mc_seqno_end as seqno, 'transactions ' || string_agg(${hashSql("t.hash")}, ' ' order by t.lt desc, t.account desc) as mark
       from traces r join transactions t using (trace_id)
       where r.state = 'complete' and ${addressSql("t.account")} = any($1::text[])
       group by r.trace_id, r.mc_seqno_end, r.end_lt order by r.mc_seqno_end, r.end_lt, r.trace_id`,
      [whose],
    ),
    texts(
      database,
      `select a.trace_mc_seqno_end as seqno, 'actions ' || string_agg(${hashSql("a.action_id")}, ' ' order by a.end_lt desc, a.start_lt desc, a.action_id) as mark
       from actions a join traces r using (trace_id) where r.state = 'complete' and a.ancestor_types = '{}'
         and exists (select from unnest(a.accounts) as own(account) where ${addressSql("own.account")} = any($1::text[]))
       group by a.trace_id, a.trace_mc_seqno_end, a.trace_end_lt order by 1, a.trace_end_lt, a.trace_id`,
      [whose],
    ),
    texts(
      database,
      `select r.mc_seqno_end as seqno, 'trace ' || ${hashSql("r.external_hash_norm")} || ' ' ||
         (select string_agg(${hashSql("t.hash")}, ' ' order by t.lt desc, t.account desc) from transactions t where t.trace_id = r.trace_id) as mark
       ${ofTrace} and ${hashSql("r.external_hash_norm")} = any($1::text[]) order by 1, r.end_lt, r.trace_id`,
      [`{${traces.map((each) => `"${each}"`).join(",")}}`],
    ),
    texts(
      database,
      `select distinct on (t.mc_block_seqno, t.account) t.mc_block_seqno as seqno,
         'account_state_change ' || ${addressSql("t.account")} || ' ' || ${hashSql("t.state_hash_after")} as mark
       from transactions t where ${addressSql("t.account")} = any($1::text[]) order by t.mc_block_seqno, t.account, t.lt desc`,
      [whose],
    ),
    texts(
      database,
      `select w.mc_seqno as seqno, 'jettons_change ' || ${addressSql("w.address")} || ' ' || w.balance as mark
       from jetton_wallet_changes w where ${addressSql("w.address")} = any($1::text[]) or ${addressSql("w.owner")} = any($1::text[])
       order by w.mc_seqno, w.address`,
      [whose],
    ),
    texts(
      database,
      `select seqno, 'blocks ' || seqno || ' ' || ${hashSql("root_hash")} as mark from blocks where workchain = -1 order by seqno`,
    ),
  ]);
  // A stable sort keeps the order of types within a block.
  return lists
    .flat()
    .toSorted((a, b) => a.seqno - b.seqno)
    .map(({ mark }) => mark);
}
