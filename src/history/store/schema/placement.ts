/**
 * Where the rows of a table are when the database is a Citus cluster: divided by a column over the workers, copied to
 * every machine, or on the coordinator alone.
 */
export type Placement =
  | { readonly kind: "distributed"; readonly by: string; readonly group: DistributionGroup }
  | { readonly kind: "reference" }
  | { readonly kind: "local" };

/** Tables of one group with the same value in their column have these rows on the same machine. */
export type DistributionGroup = "bytes" | "seqno";

const by = (column: string): Placement => ({ kind: "distributed", by: column, group: "bytes" });
const bySeqno = (column: string): Placement => ({ kind: "distributed", by: column, group: "seqno" });
const reference: Placement = { kind: "reference" };
const local: Placement = { kind: "local" };

/**
 * The tables that are not on every machine. What grows with the chain is distributed; what the writer alone needs, and
 * what must be seen together with the checkpoint, is on the coordinator. Any other table, as those of most entities, has
 * what every answer looks up and few blocks change. Every unique key of a distributed table contains its column.
 */
const particular: Readonly<Record<string, Placement>> = {
  transactions: by("account"),
  account_states: by("account"),
  latest_account_states: by("account"),
  trace_accounts: by("account"),
  action_accounts: by("account"),
  messages: by("hash"),
  traces: by("trace_id"),
  actions: by("trace_id"),
  jetton_transfers: by("source_wallet"),
  jetton_burns: by("jetton_wallet"),
  nft_transfers: by("nft_item"),
  jetton_wallets: by("address"),
  jetton_wallet_changes: by("address"),
  nft_items: by("address"),
  nominator_pool_events: by("pool_address"),
  pool_validator_events: by("pool_address"),
  blocks: bySeqno("seqno"),
  shard_state: bySeqno("seqno"),
  index_facts: local,
  segments: local,
  ingest_leases: local,
  open_edges: local,
  undecided_traces: local,
  undecided_rows: local,
  rich_accounts: local,
  stream_messages: local,
  sealed_partitions: local,
  seal_attempts: local,
};

export function placementOf(table: string): Placement {
  return particular[table] ?? reference;
}

/** The placement of every table that these migrations make. */
export function listPlacements(migrations: readonly { readonly sql: string }[]): ReadonlyMap<string, Placement> {
  const names = migrations.flatMap(({ sql }) => [...sql.matchAll(/^create table (\w+)\b(?! partition of)/gm)]);
  return new Map(names.map(([, name = ""]) => [name, placementOf(name)]));
}
