import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DemoStage, type Json, type JsonList, openDemoStage } from "../../kit/api/demoStage.ts";
import { actionsOf, asTexts, countsOf, messagesOf, statesAfter, transactionsIn } from "../../kit/api/v3/v3Agreement.ts";
import { someOf } from "../../kit/suite/everything.ts";

let stage: DemoStage;
let transactions: JsonList;
let traces: JsonList;

beforeAll(async () => {
  stage = await openDemoStage();
  transactions = await list("transactions", "transactions", { limit: "1000" });
  traces = await list("traces", "traces", { limit: "1000", include_actions: "true" });
  expect(Math.min(transactions.length, traces.length)).toBeGreaterThan(10);
});
afterAll(() => stage.close());

async function ask(path: string, args: Readonly<Record<string, string>>): Promise<Json> {
  const query = new URLSearchParams({ x_no_address_book: "1", x_no_metadata: "1", ...args });
  return (await (await fetch(`${stage.server.origin}/api/v3/${path}?${query}`)).json()) as Json;
}

async function list(path: string, key: string, args: Readonly<Record<string, string>>): Promise<JsonList> {
  const answer = await ask(path, args);
  return (answer[key] ?? [answer]) as JsonList;
}

/** Of all that are compared, the ordinary run asks for every third one by itself. */
const isThird = (_: unknown, at: number) => at % 3 === 0;

const listIn = (item: Json, key: string) => (item[key] ?? []) as JsonList;
const sentBy = (transaction: Json) => listIn(transaction, "out_msgs");
const receivedBy = ({ in_msg: received }: Json) => received as Json | null;
const hashes = (items: JsonList) => items.map(({ hash }) => hash);

interface Node {
  readonly tx_hash: string;
  readonly children: readonly Node[];
}

describe("data of two endpoints", () => {
  it("is equal for traces by themselves, by their transactions and by their actions", async () => {
    const known = new Map(transactions.map((each) => [each.hash, each]));
    const reported = transactionsIn(traces);
    expect(asTexts(reported)).toEqual(asTexts(reported.map(({ hash }) => known.get(hash))));
    for (const trace of someOf(traces, isThird)) {
      const own = { trace_id: String(trace.trace_id), limit: "1000" };
      expect(asTexts(await list("actions", "actions", own))).toEqual(asTexts(listIn(trace, "actions")));
      expect(await list("events", "events", own)).toEqual([trace]);
    }
    const older = { include_actions: "1", supported_action_types: "v1", limit: "1000" };
    const inTraces = actionsOf(await list("traces", "traces", older));
    const alone = await list("actions", "actions", { supported_action_types: "v1", limit: "1000" });
    expect(asTexts(alone)).toEqual(asTexts(inTraces));
  });

  it("is equal for transactions by the tree of their trace and by adjacent transactions", async () => {
    const walk = async (node: Node, parent: Node | undefined): Promise<void> => {
      const next = async (direction: string) => {
        const found = await list("adjacentTransactions", "transactions", { hash: node.tx_hash, direction });
        return hashes(found.filter(({ error }) => error === undefined)).toSorted();
      };
      expect(await next("out")).toEqual(node.children.map((child) => child.tx_hash).toSorted());
      expect(await next("in")).toEqual(parent === undefined ? [] : [parent.tx_hash]);
      for (const child of node.children) await walk(child, node);
    };
    const grown = traces.filter(({ transactions_order: order }) => (order as readonly unknown[]).length > 1);
    expect(grown.length).toBeGreaterThan(0);
    for (const { trace } of someOf(grown, isThird)) await walk(trace as Node, undefined);
  });

  it("is equal for messages by themselves and by their transactions", async () => {
    const all = await list("messages", "messages", { limit: "1000" });
    expect(asTexts(all)).toEqual(asTexts(messagesOf(transactions)));
    for (const { hash } of all.slice(0, 40)) {
      const found = await list("transactionsByMessage", "transactions", { msg_hash: String(hash) });
      const isEnd = (each: Json) => [receivedBy(each), ...sentBy(each)].some((message) => message?.hash === hash);
      expect(asTexts(found)).toEqual(asTexts(transactions.filter(isEnd)));
    }
  });

  it("is equal for blocks by themselves and by their content", async () => {
    const blocks = await list("blocks", "blocks", { limit: "1000" });
    expect(blocks.map(({ tx_count: count }) => count)).toEqual(countsOf(blocks, transactions));
    for (const { seqno: number } of blocks.filter(({ workchain }) => workchain === -1)) {
      const seqno = String(number);
      const committed = await list("masterchainBlockShards", "blocks", { seqno, limit: "1000" });
      expect(asTexts(committed)).toEqual(asTexts(await list("blocks", "blocks", { mc_seqno: seqno, limit: "1000" })));
      const held = await list("transactionsByMasterchainBlock", "transactions", { seqno, limit: "1000" });
      expect(asTexts(held)).toEqual(asTexts(transactions.filter((each) => each.mc_block_seqno === number)));
    }
  });

  it("is equal for accounts by their states and by their last transactions", async () => {
    const expected = statesAfter(transactions);
    const address = expected.map((each) => each.address).join();
    const accounts = await list("accountStates", "accounts", { address });
    expect(accounts).toEqual(expected.map((each) => expect.objectContaining(each)));
  });

  it("is equal for tokens in lists and in references", async () => {
    const { market, multisig } = stage.demo;
    for (const sale of await list("nft/sales", "nft_sales", { address: market.openSale })) {
      const [item] = await list("nft/items", "nft_items", { address: String(sale.nft_address) });
      expect([sale.nft_item, item?.sale_contract_address]).toEqual([item, sale.address]);
    }
    for (const item of await list("nft/items", "nft_items", { limit: "1000" })) {
      const [collection] = await list("nft/collections", "nft_collections", {
        collection_address: String(item.collection_address),
      });
      expect(item.collection).toEqual(collection);
    }
    const [wallet] = await list("multisig/wallets", "multisigs", { address: multisig.wallet });
    const orders = await list("multisig/orders", "orders", { multisig_address: multisig.wallet, sort: "asc" });
    expect(wallet?.orders).toEqual(orders);
    const [master] = await list("jetton/masters", "jetton_masters", { address: stage.demo.jetton.minter });
    const wallets = await list("jetton/wallets", "jetton_wallets", { jetton_address: stage.demo.jetton.minter });
    const supply = wallets.reduce((sum, { balance }) => sum + BigInt(String(balance)), 0n);
    expect(master?.total_supply).toBe(supply.toString());
  });
});
