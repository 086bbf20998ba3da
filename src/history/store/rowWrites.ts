import type { BatchRows } from "./BatchRows.ts";
import { type Columns, columnName, type Row, type Table } from "./Table.ts";
import * as tables from "./tables.ts";

type AnyRow = Readonly<Record<string, unknown>>;

/** How the rows of one table are written. */
export interface RowWrite {
  readonly table: Table<Columns>;
  /** The rows of one masterchain block. */
  readonly rowsOf: (batch: BatchRows) => readonly object[];
  /** Of rows with one key in one commit, the one that counts; `undefined`: all are written. */
  readonly merge: ((rows: readonly object[]) => readonly object[]) | undefined;
  /** What happens where a row with the key is there; `undefined`: that would be a mistake. */
  readonly onConflict: string | undefined;
}

type RowsOf<T> = (batch: BatchRows) => readonly Row<T>[];
type Key<C> = readonly (keyof C & string)[];

/** Rows that come once: a second time would be a mistake. */
function once<C extends Columns>(table: Table<C>, rowsOf: RowsOf<Table<C>>): RowWrite {
  return { table, rowsOf, merge: undefined, onConflict: undefined };
}

/** Rows that say the same whenever they come: what is there stays. */
function kept<C extends Columns>(table: Table<C>, key: Key<C>, rowsOf: RowsOf<Table<C>>): RowWrite {
  return { table, rowsOf, merge: undefined, onConflict: onConflict(key, "do nothing") };
}

/** Rows that take the place of what is there. */
function replaced<C extends Columns>(table: Table<C>, key: Key<C>, rowsOf: RowsOf<Table<C>>): RowWrite {
  const changes = others(table, key).map((name) => `"${name}" = excluded."${name}"`);
  const whenThere = onConflict(key, `do update set ${changes.join(", ")}`);
  return { table, rowsOf, merge: mergeBy(key, (_, later) => later), onConflict: whenThere };
}

/** Rows that take the place of what is older by this column. */
function newest<C extends Columns>(
  table: Table<C>,
  key: Key<C>,
  lt: keyof C & string,
  rowsOf: RowsOf<Table<C>>,
): RowWrite {
  const isNewer = `t."${columnName(lt)}" < excluded."${columnName(lt)}"`;
  const changes = others(table, key).map((name) => `"${name}" = excluded."${name}"`);
  const whenThere = onConflict(key, `do update set ${changes.join(", ")} where ${isNewer}`);
  return { table, rowsOf, merge: mergeBy(key, newerBy(lt)), onConflict: whenThere };
}

/**
 * Entities: the newest row, with the smallest `id` ever seen, so that they keep the order of their first sight. Columns
 * that come from elsewhere than the chain are not touched.
 */
function entity<C extends Columns>(table: Table<C>, rowsOf: RowsOf<Table<C>>, fromElsewhere: Key<C> = []): RowWrite {
  const isNewer = "t.last_transaction_lt < excluded.last_transaction_lt";
  const changes = others(table, ["address", "id", ...fromElsewhere]).map(
    (name) => `"${name}" = case when ${isNewer} then excluded."${name}" else t."${name}" end`,
  );
  const update = ["id = least(t.id, excluded.id)", ...changes].join(", ");
  const whenThere = onConflict(["address"], `do update set ${update} where ${isNewer} or excluded.id < t.id`);
  const newer = newerBy("lastTransactionLt");
  const merge = mergeBy(["address"], (a, b) => ({
    ...newer(a, b),
    id: (a.id as bigint) < (b.id as bigint) ? a.id : b.id,
  }));
  return { table, rowsOf, merge, onConflict: whenThere };
}

/** Messages: the sender is added to what the receiver brought. */
function withSender(rowsOf: RowsOf<typeof tables.messages>): RowWrite {
  const update =
    "do update set out_tx_hash = excluded.out_tx_hash, out_index = excluded.out_index " +
    "where t.out_tx_hash is null and excluded.out_tx_hash is not null";
  const whenThere = onConflict(["hash"], update);
  const merge = mergeBy(["hash"], (earlier, later) => (earlier.outTxHash === undefined ? later : earlier));
  return { table: tables.messages, rowsOf, merge, onConflict: whenThere };
}

/** Codes: their methods are added when the library that a code refers to comes later than the code. */
function withMethods(rowsOf: RowsOf<typeof tables.codes>): RowWrite {
  const update = "do update set methods = excluded.methods where t.methods is null and excluded.methods is not null";
  const merge = mergeBy(["hash"], (earlier, later) => (earlier.methods === undefined ? later : earlier));
  return { table: tables.codes, rowsOf, merge, onConflict: onConflict(["hash"], update) };
}

function onConflict(key: readonly string[], then: string): string {
  return `on conflict (${key.map((each) => `"${columnName(each)}"`).join(", ")}) ${then}`;
}

function others(table: Table<Columns>, key: readonly string[]): readonly string[] {
  const names = new Set(key.map(columnName));
  return table.names.filter((name) => !names.has(name));
}

function newerBy(lt: string): (a: AnyRow, b: AnyRow) => AnyRow {
  return (a, b) => ((a[lt] as bigint) < (b[lt] as bigint) ? b : a);
}

/** One statement may not change one row twice, so that rows with one key become one before. */
function mergeBy(key: readonly string[], choose: (earlier: AnyRow, later: AnyRow) => AnyRow): RowWrite["merge"] {
  return (rows) => {
    const byKey = new Map<string, AnyRow>();
    for (const row of rows as readonly AnyRow[]) {
      const name = key.map((each) => row[each]).join();
      const earlier = byKey.get(name);
      byKey.set(name, earlier === undefined ? row : choose(earlier, row));
    }
    return byKey.size === rows.length ? rows : [...byKey.values()];
  };
}

/** The owner is the real one unless a sale holds the item, which the commit settles when both are there. */
function itemsWithOwner({ entities }: BatchRows): readonly Row<typeof tables.nftItems>[] {
  return entities.nftItems.map((row) => ({ ...row, realOwner: row.ownerAddress }));
}

/** What an airdrop has for a wallet stands in a tree outside the chain. */
export const airdropColumns = ["mintlessAmount", "mintlessStartFrom", "mintlessExpireAt"] as const;

/** All tables that blocks fill, in the order of writing; open edges, which also go, stand apart. */
export const rowWrites: readonly RowWrite[] = [
  once(tables.blocks, ({ blocks }) => blocks),
  once(tables.shardState, ({ shardState }) => shardState),
  once(tables.transactions, ({ transactions }) => transactions),
  withSender(({ messages }) => messages),
  kept(tables.messageContents, ["hash"], ({ messageContents }) => messageContents),
  kept(tables.accountStates, ["account", "hash"], ({ accountStates }) => accountStates),
  newest(tables.latestAccountStates, ["account"], "lastTransLt", ({ latestAccountStates }) => latestAccountStates),
  withMethods(({ codes }) => codes),
  replaced(tables.traces, ["traceId"], ({ traces }) => traces),
  once(tables.traceAccounts, ({ traceAccounts }) => traceAccounts),
  once(tables.actions, ({ actions }) => actions),
  once(tables.actionAccounts, ({ actionAccounts }) => actionAccounts),
  once(tables.jettonTransfers, ({ jettonTransfers }) => jettonTransfers),
  once(tables.jettonBurns, ({ jettonBurns }) => jettonBurns),
  once(tables.nftTransfers, ({ nftTransfers }) => nftTransfers),
  entity(tables.jettonMasters, ({ entities }) => entities.jettonMasters),
  kept(tables.mintlessJettonMasters, ["address"], ({ entities }) => entities.mintlessJettonMasters),
  entity(tables.jettonWallets, ({ entities }) => entities.jettonWallets, airdropColumns),
  entity(tables.nftCollections, ({ entities }) => entities.nftCollections),
  entity(tables.nftItems, itemsWithOwner),
  entity(tables.nftSales, ({ entities }) => entities.nftSales),
  entity(tables.multisigs, ({ entities }) => entities.multisigs),
  entity(tables.multisigOrders, ({ entities }) => entities.multisigOrders),
  entity(tables.vestingContracts, ({ entities }) => entities.vestingContracts),
  kept(tables.vestingWhitelist, ["vestingAddress", "walletAddress"], ({ entities }) => entities.vestingWhitelist),
  newest(tables.dnsEntries, ["nftItemAddress"], "lastTransactionLt", ({ entities }) => entities.dnsEntries),
  newest(tables.dexPools, ["address"], "lastTransactionLt", ({ entities }) => entities.dexPools),
];
