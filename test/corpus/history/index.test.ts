import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCorpusPart, listChains, readJson, reportAbsent } from "../../../kit/suite/corpus.ts";
import type { Database, SqlRow, SqlValue } from "../../../src/history/store/Database.ts";
import { addressFromBytes } from "../../../src/history/store/schema/columns.ts";
import { importChain } from "../../../src/localnet/ledger/importChain.ts";
import { hashFromBytes } from "../../../src/model/Hash.ts";
import { openFresh } from "../../kit/history/database.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { dumpIndex } from "../../kit/history/indexTables.ts";

const never = new AbortController().signal;
const longMs = 900_000;

/** A recorded object. */
type Recorded = Readonly<Record<string, unknown>>;

interface TreeNode {
  readonly tx: string;
  readonly children: readonly TreeNode[];
}

function bytes(value: SqlValue | undefined): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error("bytes were expected");
  return value;
}

const hex = (value: SqlValue | undefined) => (value === null ? undefined : hashFromBytes(bytes(value)));
const account = (value: SqlValue | undefined) => (value === null ? null : addressFromBytes(bytes(value)));
const digits = (value: SqlValue | undefined) => String(value);

/** Rows of a table in the format of the recording, by account. */
async function report(database: Database, table: string, of: (row: SqlRow) => Recorded): Promise<readonly Recorded[]> {
  const rows = await database.query(`select * from ${table} order by address`);
  return rows.map((row) => ({ address: account(row.address), ...of(row) }));
}

/** The recorded rows by account, reduced to the columns of the index. */
function listed(reported: unknown, keys: readonly string[]): readonly Recorded[] {
  const picked = (reported as readonly Recorded[]).map((each) =>
    Object.fromEntries(keys.map((key) => [key, each[key]])),
  );
  return picked.sort((a, b) => (String(a.address) < String(b.address) ? -1 : 1));
}

function listTransactions({ tx, children }: TreeNode): string[] {
  return [tx, ...children.flatMap(listTransactions)];
}

describeCorpusPart("an index of recorded chains", "*/index.json", (folder) => {
  const names = listChains(folder);

  describe.each(names)("%s", (name) => {
    let stage: IndexStage;

    beforeAll(async () => {
      stage = await openIndexStage(importChain(join(folder, name)));
      await stage.indexer({}).run(never);
    }, longMs);
    afterAll(() => stage?.close());

    it("has every transaction in a trace, and every fully delivered trace complete", async () => {
      const [row] = await stage.database.query(
        `select (select sum(tx_count) from blocks) - (select count(*) from transactions) as lost,
           (select sum(nodes) from traces) - (select count(*) from transactions) as untraced,
           (select count(*) from traces where state = 'broken') as broken,
           (select sum(pending_edges) from traces) - (select count(*) from open_edges) as uncounted,
           (select count(*) from traces where state = 'complete' and classification_state <> 'ok') as unclear,
           (select count(*) from open_edges e join transactions t on t.in_msg_hash = e.msg_hash) as missed`,
      );
      expect(row).toEqual({ lost: 0n, untraced: 0n, broken: 0n, uncounted: 0n, unclear: 0n, missed: 0n });
    });

    it(
      "has the same rows when later parts are indexed first, in small steps, without memory between them",
      async () => {
        // Small steps are many transactions, which are faster in a separate PostgreSQL process.
        const database = await openFresh("postgres");
        const head = stage.ledger.headId.seqno;
        for (const part of [2 / 3, 1 / 3, 0]) {
          const from = 1 + Math.floor(head * part);
          await stage.indexer({ from, maxRows: 50, rememberedBlocks: 0 }, { database }).run(never);
        }
        const [later, whole] = [await dumpIndex(database), await dumpIndex(stage.database)];
        await database.close();
        expect(later).toEqual(whole);
      },
      longMs,
    );

    const accounts = join(name, "accounts.json");
    if (existsSync(join(folder, accounts))) {
      it("has the same accounts at the end as the node", async () => {
        const rows = await stage.database.query("select * from latest_account_states order by account");
        const found = rows.map((row) => ({
          address: account(row.account),
          status: row.status,
          balance: digits(row.balance),
          account_state_hash: row.status === "nonexist" ? undefined : hex(row.hash),
          code_hash: hex(row.code_hash),
          data_hash: hex(row.data_hash),
          last_transaction: { hash: hex(row.last_trans_hash), lt: digits(row.last_trans_lt) },
        }));
        const { accounts: reported } = readJson(folder, accounts) as { readonly accounts: unknown };
        const byAddress = (a: Recorded, b: Recorded) => (String(a.address) < String(b.address) ? -1 : 1);
        // The recording may list accounts that never existed; an index has no row for them.
        const existed = (reported as readonly Recorded[]).filter(
          ({ status, last_transaction: last }) => status !== "nonexist" || (last ?? undefined) !== undefined,
        );
        expect(found.sort(byAddress)).toEqual(listed(existed, Object.keys(found[0] ?? {})));
      });
    }

    const ledger = join(name, "ledger.json");
    if (existsSync(join(folder, ledger))) {
      declareLedger(
        () => stage,
        () => readJson(folder, ledger) as Ledger,
      );
    }
  });
});

/** Facts recorded while a chain was made. */
interface Ledger {
  readonly actions: readonly Recorded[];
  readonly final_state: Recorded;
}

/** Tests for a chain whose recording contains its actions and the resulting state. */
function declareLedger(stageOf: () => IndexStage, read: () => Ledger): void {
  it("has the recorded traces of each message", async () => {
    const { actions } = read();
    const rows = await stageOf().database.query(
      `select t.trace_id, t.external_hash, coalesce(t.external_hash_norm, t.external_hash) as norm, t.nodes,
           array_agg(encode(x.hash, 'hex') order by x.hash) as transactions
         from traces t join transactions x on x.trace_id = t.trace_id group by t.trace_id, t.start_lt`,
    );
    const byId = new Map(rows.map((row) => [hex(row.trace_id), row]));
    for (const action of actions) {
      for (const trace of (action.traces ?? []) as readonly TreeNode[]) {
        const row = byId.get(trace.tx as never);
        const transactions = listTransactions(trace).sort();
        expect([hex(row?.external_hash ?? null), hex(row?.norm ?? null), row?.nodes, row?.transactions]).toEqual([
          action.ext_msg_hash,
          action.ext_msg_hash_norm,
          transactions.length,
          transactions,
        ]);
      }
    }
  });

  it("has the recorded tokens, sales and contracts at the end", async () => {
    const { database } = stageOf();
    const { final_state: reported } = read();
    const masters = await report(database, "jetton_masters", (row) => ({
      total_supply: digits(row.total_supply),
      mintable: row.mintable,
      admin_address: account(row.admin_address),
    }));
    const wallets = await report(database, "jetton_wallets", (row) => ({
      balance: digits(row.balance),
      owner: account(row.owner),
      jetton: account(row.jetton),
    }));
    const collections = await report(database, "nft_collections", (row) => ({
      next_item_index: digits(row.next_item_index),
      owner_address: account(row.owner_address),
    }));
    const items = await report(database, "nft_items", (row) => ({
      init: row.init,
      index: digits(row.index),
      collection_address: account(row.collection_address),
      owner_address: account(row.owner_address),
    }));
    const sales = await report(database, "nft_sales", (row) => ({
      marketplace_address: account(row.marketplace_address),
      nft_address: account(row.nft_address),
      nft_owner_address: account(row.nft_owner_address),
      full_price: digits(row.price),
    }));
    const vesting = await report(database, "vesting_contracts", (row) => ({
      start_time: digits(row.start_time),
      total_amount: digits(row.total_amount),
      sender: account(row.sender_address),
      owner: account(row.owner_address),
    }));
    const tables = {
      ...{ jetton_masters: masters, jetton_wallets: wallets, nft_collections: collections, nft_items: items },
      ...{ sales, vesting },
    };
    const isTold = (kind: string) => reported[kind] !== undefined;
    const kinds = Object.keys(tables);
    reportAbsent(
      "final states of",
      [...kinds, "orders"].filter((kind) => !isTold(kind)),
    );
    for (const [kind, found] of Object.entries(tables).filter(([name]) => isTold(name)))
      expect([kind, found]).toEqual([kind, listed(reported[kind], Object.keys(found[0] ?? {}))]);
    // Destroyed orders keep their last known state.
    const orders = await report(database, "multisig_orders", (row) => ({
      multisig: account(row.multisig_address),
      order_seqno: digits(row.order_seqno),
      sent_for_execution: row.sent_for_execution,
    }));
    expect(orders).toEqual(expect.arrayContaining([...listed(reported.orders ?? [], Object.keys(orders[0] ?? {}))]));
  });
}
