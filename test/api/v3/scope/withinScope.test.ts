import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { v3Endpoints } from "../../../../src/api/v3/list.ts";
import { address as addressColumn } from "../../../../src/history/store/schema/columns.ts";
import type { Demo } from "../../../../src/localnet/demo/Demo.ts";
import type { Address } from "../../../../src/model/Address.ts";
import { type DemoStage, type Json, type JsonList, openDemoStage } from "../../../kit/api/demoStage.ts";
import { loadStakingRows, stakingAt } from "../../../kit/history/stakingRows.ts";

const scopeOf = ({ jetton, nft, multisig, vesting }: Demo) => ({
  accounts: [multisig.wallet, vesting.wallet],
  jettons: [jetton.minter],
  collections: [nft.collection],
  codeHashes: [],
  from: undefined,
  until: undefined,
});

const covers = "the index covers 2 accounts, 1 jetton, 1 NFT collection, and masterchainInfo lists its scope";
const unknown = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

type Args = Readonly<Record<string, string>>;

/** Requests that an index with the scope answers with something, and those that it must refuse. */
interface Requests {
  readonly inside: readonly Args[];
  readonly outside: readonly Args[];
  /** Requests that may find nothing, but not because of the scope. */
  readonly others?: readonly Args[];
}

let stage: DemoStage;
let requests: Readonly<Record<string, Requests>>;
beforeAll(async () => {
  stage = await openDemoStage({ scope: scopeOf });
  await loadPool(stage.demo.multisig.wallet);
  requests = makeRequests(stage.demo, await findKnown());
});
afterAll(() => stage?.close());

interface Known {
  readonly trace: string;
  readonly transaction: string;
  readonly message: string;
  readonly action: string;
  readonly seqno: string;
  /** A transaction on an account that is outside the scope. */
  readonly foreign: string;
}

/** Makes an account of the scope a nominator pool with events; the demo set has none. */
async function loadPool(pool: Address): Promise<void> {
  const { database } = stage;
  await loadStakingRows(database);
  const [own, made] = [addressColumn.write(pool), addressColumn.write(stakingAt.pool)];
  await database.write(async (session) => {
    for (const table of ["nominator_pool_events", "pool_validator_events"])
      await session.query(`update ${table} set pool_address = $1::bytea where pool_address = $2::bytea`, [own, made]);
    await session.query(
      `update nominator_pools set address = $1::bytea, last_transaction_lt =
         (select last_trans_lt from latest_account_states where account = $1::bytea) where address = $2::bytea`,
      [own, made],
    );
  });
}

/** Things of one trace that the index has. */
async function findKnown(): Promise<Known> {
  const { transactions } = await stage.ask("transactions", { account: stage.demo.multisig.wallet, limit: "1" });
  const [transaction] = transactions as JsonList;
  const { trace_id: trace, hash, in_msg: received, mc_block_seqno: seqno } = transaction as Json;
  const { actions } = await stage.ask("actions", { trace_id: String(trace) });
  const [action] = actions as JsonList;
  const { traces } = await stage.ask("traces", { trace_id: String(trace) });
  const own = Object.values(Object((traces as JsonList)[0]?.transactions)) as JsonList;
  const foreign = own.find(
    ({ account }) => !scopeOf(stage.demo).accounts.includes(String(account).toLowerCase() as Address),
  );
  return {
    trace: String(trace),
    transaction: String(hash),
    message: String(Object(received).hash),
    action: String(action?.action_id),
    seqno: String(seqno),
    foreign: String(foreign?.hash),
  };
}

function makeRequests(demo: Demo, known: Known): Readonly<Record<string, Requests>> {
  const { jetton, nft, dns, market, multisig, vesting, people } = demo;
  const [alice, domain] = [people.alice.address, dns.collection];
  const wallet = jetton.walletOf(alice);
  const [item = ""] = nft.items;
  const accounts = { inside: [multisig.wallet, wallet, item, jetton.minter], outside: [alice, domain] };
  const byAccount = (name: string): Requests => ({
    inside: accounts.inside.map((each) => ({ [name]: each })),
    outside: accounts.outside.map((each) => ({ [name]: each })),
  });
  const traces = byAccount("account");
  const ofPool = (more: Readonly<Record<string, string>>): Requests => ({
    inside: [{ ...more, pool: multisig.wallet }],
    outside: [{ ...more, pool: alice }],
  });
  const byTrace: Requests = {
    inside: [
      ...traces.inside,
      {},
      { trace_id: known.trace },
      { tx_hash: known.transaction },
      { msg_hash: known.message },
    ],
    outside: [...traces.outside, { trace_id: unknown }, { tx_hash: unknown }, { msg_hash: unknown }],
  };
  const anything = (args: Args = {}): Requests => ({ inside: [args], outside: [] });
  const oneAccount = {
    inside: [{ address: multisig.wallet }],
    outside: [{ address: alice }],
    others: [{ address: alice, use_v2: "true" }],
  };
  const predicted = { inside: [], outside: [], others: [{ account: alice }] };
  return {
    accountStates: {
      ...byAccount("address"),
      outside: [{ address: alice }, { address: `${multisig.wallet},${alice}` }],
    },
    walletStates: byAccount("address"),
    addressBook: anything({ address: alice }),
    metadata: anything({ address: jetton.minter }),
    traces: byTrace,
    events: byTrace,
    actions: {
      inside: [...byTrace.inside, { action_id: known.action }],
      outside: [...byTrace.outside, { action_id: unknown }],
    },
    balanceChanges: {
      inside: [{ trace_id: known.trace }, { action_id: known.action }],
      outside: [{ trace_id: unknown }, { action_id: unknown }],
    },
    pendingTraces: predicted,
    pendingActions: predicted,
    pendingTransactions: predicted,
    masterchainInfo: anything(),
    blocks: anything(),
    masterchainBlockShardState: anything({ seqno: known.seqno }),
    masterchainBlockShards: anything({ seqno: known.seqno }),
    transactions: {
      inside: [...byAccount("account").inside, {}, { hash: known.transaction }, { hash: known.foreign }],
      outside: [...byAccount("account").outside, { hash: unknown }],
    },
    transactionsByMasterchainBlock: anything({ seqno: known.seqno }),
    transactionsByMessage: {
      inside: [{ msg_hash: known.message }, { opcode: "0x0f8a7ea5" }, { opcode: "0x0f8a7ea5", destination: wallet }],
      outside: [{ msg_hash: unknown }, { body_hash: unknown }, { opcode: "0x0f8a7ea5", destination: alice }],
    },
    adjacentTransactions: { inside: [{ hash: known.transaction }], outside: [{ hash: unknown }] },
    messages: {
      inside: [{ msg_hash: known.message }, {}, { destination: wallet }, { source: alice, destination: wallet }],
      outside: [{ msg_hash: unknown }, { hash: unknown }, { destination: alice }, { source: domain }],
    },
    "jetton/masters": {
      inside: [{ address: jetton.minter }, {}],
      outside: [{ address: alice }, { admin_address: alice }],
    },
    "jetton/wallets": {
      inside: [
        { address: wallet },
        { jetton_address: jetton.minter },
        { jetton_address: jetton.minter, owner_address: alice },
      ],
      outside: [{ address: alice }, { jetton_address: alice }, { owner_address: alice }],
    },
    "jetton/transfers": {
      inside: [
        { jetton_master: jetton.minter },
        { jetton_wallet: wallet },
        { jetton_master: jetton.minter, owner_address: alice },
        {},
      ],
      outside: [{ jetton_master: alice }, { owner_address: alice }, { owner_address: multisig.wallet }],
      others: [{ owner_address: multisig.wallet, direction: "out" }],
    },
    "jetton/burns": {
      inside: [{ jetton_master: jetton.minter }, {}],
      outside: [{ jetton_master: alice }, { owner_address: alice }, { jetton_wallet: alice }],
      others: [{ owner_address: multisig.wallet }],
    },
    "nft/collections": {
      inside: [{ collection_address: nft.collection }, {}],
      outside: [{ collection_address: domain }, { owner_address: alice }],
    },
    "nft/items": {
      inside: [{ address: item }, { collection_address: nft.collection }, {}],
      outside: [{ collection_address: domain }, { owner_address: alice }, { address: alice }],
    },
    "nft/transfers": {
      inside: [{ collection_address: nft.collection }, {}],
      outside: [{ collection_address: domain }, { owner_address: alice }, { item_address: alice }],
      others: [{ owner_address: multisig.wallet, direction: "out" }],
    },
    "nft/sales": { inside: [], outside: [{ address: market.openSale }] },
    "dns/records": { inside: [], outside: [{ wallet: alice }, { domain: "none.ton" }] },
    "dns/activeAuctions": { inside: [], outside: [{ bidder: alice }] },
    "multisig/wallets": {
      inside: [{ address: multisig.wallet }],
      outside: [{ address: alice }, { wallet_address: alice }],
    },
    "multisig/orders": { inside: [{ multisig_address: multisig.wallet }], outside: [{ multisig_address: alice }] },
    "staking/nominatorPools/pool": ofPool({}),
    "staking/nominatorPools/nominator": { inside: [], outside: [{ nominator: alice }] },
    "staking/nominatorPools/nominatorEvents": ofPool({}),
    "staking/nominatorPools/nominatorRewards": ofPool({ nominator: stakingAt.ann }),
    "staking/nominatorPools/validatorEvents": {
      inside: [{ pool: multisig.wallet }, { pool: multisig.wallet, validator: stakingAt.validator }],
      outside: [{ pool: alice }, { validator: multisig.wallet }],
    },
    "staking/nominatorPools/validatorRewards": ofPool({ validator: stakingAt.validator }),
    vesting: {
      inside: [{ contract_address: vesting.wallet }],
      outside: [{ contract_address: alice }, { wallet_address: alice }],
    },
    topAccountsByBalance: anything(),
    decode: { inside: [], outside: [], others: [{ opcodes: "0x0f8a7ea5" }] },
    addressInformation: oneAccount,
    account: oneAccount,
    walletInformation: { ...oneAccount, inside: [], others: [{ address: multisig.wallet }, ...oneAccount.others] },
    wallet: { ...oneAccount, inside: [], others: [{ address: multisig.wallet }, ...oneAccount.others] },
    message: { inside: [], outside: [], others: [{ boc: "" }] },
    runGetMethod: { inside: [], outside: [], others: [{ address: alice, method: "seqno" }] },
    estimateFee: { inside: [], outside: [], others: [{ address: alice }] },
  };
}

async function send(
  name: string,
  args: Args,
): Promise<{ readonly status: number; readonly body: unknown; readonly scope: string | null }> {
  const isPosted = v3Endpoints.some((each) => each.name === name && !each.methods.includes("GET"));
  const url = `${stage.server.origin}/api/v3/${name}`;
  const body = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(args) };
  const response = await (isPosted ? fetch(url, body) : fetch(`${url}?${new URLSearchParams(args)}`));
  return { status: response.status, body: await response.json(), scope: response.headers.get("x-index-scope") };
}

function isEmpty(body: unknown): boolean {
  if (Array.isArray(body)) return body.length === 0;
  const lists = Object.values(Object(body)).filter(Array.isArray);
  return lists.length > 0 && lists.every(({ length }) => length === 0);
}

/** What must be given besides an argument of the rule. */
const companions: Readonly<Record<string, Args>> = {
  "transactionsByMessage.source": { opcode: "0x0f8a7ea5" },
  "transactionsByMessage.destination": { opcode: "0x0f8a7ea5" },
};

const names = v3Endpoints.map(({ name }) => name);

describe("every endpoint of v3", () => {
  it.each(v3Endpoints)("refuses an account outside the scope by each argument of its rule: $name", async (endpoint) => {
    const { name, scope } = endpoint;
    for (const { argument } of scope.oneOf) {
      const args = { ...companions[`${name}.${argument}`], [argument]: stage.demo.people.alice.address };
      const { status, body } = await send(name, args);
      expect({ args, status }).toEqual({ args, status: 422 });
      expect(String(Object(body).error).endsWith(covers), JSON.stringify(body)).toBe(true);
    }
  });

  it.each(names)("answers what is in the scope: %s", async (name) => {
    for (const args of requests[name]?.inside ?? []) {
      const { status, body, scope } = await send(name, args);
      expect({ args, status, isEmpty: isEmpty(body), scope }).toEqual({
        ...{ args, status: 200, isEmpty: false },
        scope: "2 accounts, 1 jetton, 1 NFT collection",
      });
    }
    for (const args of requests[name]?.others ?? [])
      expect(JSON.stringify((await send(name, args)).body), JSON.stringify(args)).not.toContain("the index covers");
  });

  it.each(names)("refuses what is outside the scope: %s", async (name) => {
    for (const args of requests[name]?.outside ?? []) {
      const { status, body } = await send(name, args);
      expect({ args, status }).toEqual({ args, status: 422 });
      expect(String(Object(body).error).endsWith(covers), JSON.stringify(body)).toBe(true);
    }
  });
});

describe("masterchainInfo", () => {
  it("shows the scope", async () => {
    const { scope } = await stage.ask("masterchainInfo");
    const { jetton, nft, multisig, vesting } = stage.demo;
    const shown = (list: readonly string[]) => list.map((each) => each.toUpperCase());
    expect(scope).toEqual({
      accounts: shown([multisig.wallet, vesting.wallet].toSorted()),
      accounts_count: 2,
      jettons: shown([jetton.minter]),
      jettons_count: 1,
      collections: shown([nft.collection]),
      collections_count: 1,
      code_hashes: [],
      code_hashes_count: 0,
      from: null,
      until: null,
    });
  });
});

describe("an index with bounds", () => {
  it("refuses blocks and times that lie wholly outside, and answers all accounts between them", async () => {
    const bounds = { from: { kind: "block", seqno: 3 }, until: { kind: "block", seqno: 1_000_000 } } as const;
    const none = { accounts: [], jettons: [], collections: [], codeHashes: [] };
    const bounded = await openDemoStage({ scope: () => ({ ...none, ...bounds }) });
    const covered =
      "the index covers all accounts from block 3 until block 1000000, and masterchainInfo lists its scope";
    const refused = (error: string) => ({ code: 422, error: `${error}; ${covered}` });
    try {
      const { first } = await bounded.ask("masterchainInfo");
      expect(Object(first).seqno).toBe(3);
      const time = Number(Object(first).gen_utime);
      expect(await bounded.ask("transactions", { mc_seqno: "2" })).toEqual(refused("block 2 is before the scope"));
      expect(await bounded.ask("traces", { mc_seqno: "1000001" })).toEqual(refused("block 1000001 is after the scope"));
      expect(await bounded.ask("transactions", { end_utime: String(time - 1) })).toEqual(
        refused("the requested time is before the scope"),
      );
      const { transactions } = await bounded.ask("transactions", { account: bounded.demo.people.alice.address });
      expect((transactions as JsonList).length).toBeGreaterThan(0);
    } finally {
      await bounded.close();
    }
  });
});
