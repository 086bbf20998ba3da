import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { type DemoStage, type Json, type JsonList, openDemoStage } from "../../kit/api/demoStage.ts";
import { filteredLists } from "../../kit/api/v3/v3FilteredLists.ts";
import {
  type AskV3,
  eithersOf,
  type Filter,
  type FilteredList,
  inAnyOrder,
  letThrough,
  pairsOf,
  sampleOf,
  walkList,
  walkWhole,
} from "../../kit/api/v3/v3Filters.ts";
import { hasOrder, inOrder } from "../../kit/api/v3/v3Orders.ts";
import { jettonTransferBody } from "../../kit/localnet/jettonBody.ts";
import { repeats, someOf } from "../../kit/suite/everything.ts";

/** One of so many pairs of filters is tried; others are tried on recorded chains. */
const eachPair = repeats({ usual: 16, all: 4 });

let stage: DemoStage;
beforeAll(async () => {
  stage = await openDemoStage();
});
afterAll(() => stage.close());

/** Without a schema check, which other tests do. */
const ask: AskV3 = async (path, args) => {
  const response = await fetch(`${stage.server.origin}/api/v3/${path}?${new URLSearchParams(args)}`);
  return (await response.json()) as Json;
};

async function expectFound(list: FilteredList, all: JsonList, filters: readonly Filter[]): Promise<void> {
  for (const filter of filters) {
    const found = await walkList(ask, list, filter.args);
    expect([filter.args, inAnyOrder(found)]).toEqual([filter.args, inAnyOrder(letThrough(all, filter))]);
  }
}

/** All items of a filtered list, page by page with cursors. */
async function walkByCursor({ path, key, always }: FilteredList, args: Filter["args"], limit: number) {
  const items: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = new URLSearchParams({ ...always, ...args, limit: String(limit), cursor });
    const response = await fetch(`${stage.server.origin}/api/v3/${path}?${query}`);
    items.push(...(((await response.json()) as Json)[key] as JsonList));
    cursor = response.headers.get("x-next-cursor");
  }
  return items;
}

const bytesOf = (message: Cell) => Buffer.from(writeBoc(message, crcForm)).toString("base64");

async function send(message: Cell): Promise<string> {
  const body = JSON.stringify({ boc: bytesOf(message) });
  const response = await fetch(`${stage.server.origin}/api/v3/message`, { method: "POST", body });
  return String(((await response.json()) as Json).message_hash_norm);
}

describe.each(filteredLists)("$path of the demo chain", (list) => {
  let all: JsonList;
  const filtersOf = async (item: Json) => list.filters(item, ask);

  beforeAll(async () => {
    all = await walkWhole(ask, list);
  });

  it("returns for every filter the matching items of the whole list", async () => {
    expect(all.length).toBeGreaterThan(0);
    for (const item of sampleOf(all, repeats({ usual: 1, all: 2 })))
      await expectFound(list, all, await filtersOf(item));
  });

  it("returns for two filters the items that match both", async () => {
    const middle = all[all.length >> 1];
    const pairs = middle === undefined ? [] : pairsOf(list, await filtersOf(middle));
    await expectFound(
      list,
      all,
      pairs.filter((_, at) => at % eachPair === 0),
    );
  });

  it("returns for two values of a filter the items that match either", async () => {
    const [first = {}, last = first] = [all[0], all.at(-1)];
    if (all.length > 0) await expectFound(list, all, eithersOf(await filtersOf(first), await filtersOf(last)));
  });

  it("returns for every filter its items in the order of the contract", async () => {
    if (!hasOrder(list.path)) return;
    const filters = (await Promise.all(all.slice(0, 1).map(filtersOf))).flat();
    for (const [at, { args }] of filters.entries()) {
      // In the ordinary run the filters take turns at the directions.
      for (const sort of someOf(["asc", "desc"] as const, (_, turn) => turn === at % 2)) {
        const found = await walkList(ask, list, { ...args, sort });
        expect([args, sort, found]).toEqual([args, sort, inOrder(list.path, args, sort, found)]);
      }
    }
  });

  it("returns for filters the same list page by page", async () => {
    const filters = (await Promise.all(all.slice(0, 1).map(filtersOf))).flat();
    for (const { args } of someOf(filters, (_, at) => at % 3 === 0)) {
      const found = await walkList(ask, list, args);
      expect([args, await walkByCursor(list, args, Math.max(1, Math.ceil(found.length / 3)))]).toEqual([args, found]);
    }
  });
});

describe("endpoints in the style of v2", () => {
  const zero = { lt: "0", hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" };

  it("show the index and the chain for every account", async () => {
    const richest = (await ask("topAccountsByBalance", { limit: "1000" })) as unknown as JsonList;
    const address = richest.map(({ account }) => account).join();
    const accounts = (await ask("accountStates", { address })).accounts as JsonList;
    const wallets = (await ask("walletStates", { address })).wallets as JsonList;
    expect([accounts.length, wallets.length]).toEqual([richest.length, richest.length]);
    for (const [place, state] of accounts.entries()) {
      const { balance, code_boc: code = null, data_boc: data = null, status } = state;
      const last = {
        last_transaction_lt: state.last_transaction_lt,
        last_transaction_hash: state.last_transaction_hash,
      };
      const own = { address: String(state.address) };
      const plain = { balance, code, data, ...last, frozen_hash: null, status, suspended: false };
      expect(await ask("addressInformation", own)).toEqual(plain);
      // v2 names one of the states differently, writes bags with a checksum, and also has deep ones.
      const bag = code === null ? null : expect.any(String);
      const live = {
        ...plain,
        code: bag,
        data: bag,
        status: status === "uninit" ? "uninitialized" : status,
      };
      expect(await ask("addressInformation", { ...own, use_v2: "true" })).toEqual(live);
      const { is_wallet: isWallet, wallet_type, seqno, wallet_id } = wallets[place] ?? {};
      const asWallet = isWallet === true ? { wallet_type, seqno, wallet_id } : {};
      const reported = { balance, ...asWallet, ...last, status, suspended: false };
      const isTold = isWallet || status === "uninit";
      const refused = { code: 409, error: "not a wallet" };
      expect(await ask("walletInformation", own)).toEqual(isTold ? JSON.parse(JSON.stringify(reported)) : refused);
    }
    const nobody = { address: `0:${"12".repeat(32)}` };
    const last = { last_transaction_lt: zero.lt, last_transaction_hash: zero.hash };
    const none = { balance: "0", ...last, status: "uninit", suspended: false };
    expect(await ask("walletInformation", nobody)).toEqual(none);
    expect(await ask("addressInformation", nobody)).toEqual({ ...none, code: null, data: null, frozen_hash: null });
  });
});

describe("pending messages", () => {
  const transactionsOf = (trace: Json) => Object.values(Object(trace.transactions)) as JsonList;

  it("are filtered by account", async () => {
    const { alice, bob, carol } = stage.demo.people;
    const { chain, demo, live } = stage;
    const body = jettonTransferBody({ to: bob.address, amount: 5n, comment: "one" });
    const jettons = { to: demo.jetton.walletOf(alice.address), amount: 100_000_000n, bounce: true, body };
    const messages = [
      chain.sign(alice, jettons),
      chain.sign(bob, { to: carol.address, amount: 1_000_000n, bounce: false }),
      chain.sign(carol, { to: alice.address, amount: 1_000_000n, bounce: false }),
    ];
    const externals: string[] = [];
    for (const message of messages) externals.push(await send(message));
    await live.pending.idle();
    const all = (await ask("pendingTraces", { ext_msg_hash: externals.join() })).traces as JsonList;
    expect(all.map(({ external_hash: hash }) => hash).toSorted()).toEqual(externals.toSorted());
    const whole = { ext_msg_hash: externals.join(), include_transactions: "true" };
    const actions = (await ask("pendingActions", whole)).actions as JsonList;
    const accounts = new Set(all.flatMap((trace) => transactionsOf(trace).map(({ account }) => String(account))));
    expect(accounts.size).toBeGreaterThan(3);
    for (const account of accounts) {
      const isOwn = (each: Json) => each.account === account;
      const { traces } = await ask("pendingTraces", { account });
      expect(traces).toEqual(all.filter((trace) => transactionsOf(trace).some(isOwn)));
      const { transactions } = await ask("pendingTransactions", { account });
      expect(inAnyOrder(transactions as JsonList)).toEqual(inAnyOrder(all.flatMap(transactionsOf).filter(isOwn)));
      const covering = actions.filter(({ transactions_full: full }) => (full as JsonList).some(isOwn));
      const found = (await ask("pendingActions", { account, include_transactions: "true" })).actions as JsonList;
      expect(found).toEqual(actions.filter((each) => found.some(({ action_id: id }) => id === each.action_id)));
      expect(found).toEqual(expect.arrayContaining(covering as Json[]));
    }
  });
});
