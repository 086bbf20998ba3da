import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFacts } from "../../../kit/contracts/corpusFacts.ts";
import { classify } from "../../../src/contracts/classify.ts";
import type { Facts, NftItemFact } from "../../../src/contracts/engine/Facts.ts";
import { demoCodes } from "../../../src/localnet/codes/demoCodes.ts";
import { type Demo, makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../src/localnet/demo/playDemo.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import { signConfigChange } from "../../../src/localnet/network/configChange.ts";
import { type Address, accountOf } from "../../../src/model/Address.ts";
import { findConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { parseHash } from "../../../src/model/Hash.ts";
import { checkBlocks, checkDelivery, checkTotals } from "../../kit/localnet/checkDelivery.ts";
import { listTraces } from "../../kit/localnet/ledgerTraces.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

let kit: ChainKit;
let chain: TestChain;
let demo: Demo;
beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open();
  demo = makeDemo(chain.net.keys);
  expect(await playDemo(chain.net, demo)).toEqual({ kind: "made" });
});
afterAll(() => kit.close());

function stateOf(address: Address, { net } = chain): string {
  const account = net.account(address).account.load();
  return account.kind === "account" ? account.storage.state.kind : "none";
}

describe("the demo set", () => {
  it("has every contract", () => {
    const states = demo.contracts.map(([name, address]) => [name, stateOf(address)]);
    expect(states).toEqual(demo.contracts.map(([name]) => [name, "active"]));
  });

  it("is made of valid blocks, without failures or losses", () => {
    const { ledger } = chain.net;
    checkBlocks(ledger);
    checkDelivery(ledger);
    checkTotals(ledger);
    const failed = listTraces(ledger).flatMap(({ transactions }) => transactions.filter(({ aborted }) => aborted));
    expect(failed).toEqual([]);
  });

  it("has its DNS root in the configuration", () => {
    expect(findConfigParam(new ChainView(chain.net.ledger).config, 4)).toBe(accountOf(demo.dns.root));
  });

  it("is not made twice", async () => {
    const { seqno } = chain.net.ledger.headId;
    expect(await playDemo(chain.net, demo)).toEqual({ kind: "present" });
    expect(chain.net.ledger.headId.seqno).toBe(seqno);
  });

  it("has the same addresses on every network of one seed", async () => {
    const other = await kit.open();
    expect(makeDemo(other.net.keys).contracts).toEqual(demo.contracts);
  });

  it("is refused if its wallets were used before", async () => {
    const other = await kit.open();
    await other.send(other.wallet(0), { to: other.wallet(5).address, amount: 1n });
    await other.rounds(1);
    expect(await playDemo(other.net, demo)).toEqual({ kind: "refused" });
  });

  it("stays as it is on a network with another elector", async () => {
    const other = await kit.open();
    await playDemo(other.net, { ...demo, stages: demo.stages.slice(0, 1) });
    const active = demo.contracts.filter(([, address]) => stateOf(address, other) === "active");
    expect(active.length).toBeGreaterThan(1);
    expect(active.length).toBeLessThan(demo.contracts.length);
    const change = { seqno: 0, now: other.net.clock.seconds };
    await other.submit(signConfigChange(other.net.keys.owner, 1, accountOf(demo.staking.pool), change));
    await other.rounds(2);
    expect(await playDemo(other.net, demo)).toEqual({ kind: "kept", contracts: active });
  });

  it("continues after an interruption", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tongate-demo-"));
    const first = await kit.open({ folder });
    await playDemo(first.net, { ...demo, stages: demo.stages.slice(0, 5) });
    await first.net.close();
    const second = await kit.open({ folder });
    expect(await playDemo(second.net, demo)).toEqual({ kind: "made" });
    expect(await playDemo(second.net, demo)).toEqual({ kind: "present" });
    expect(listTraces(second.net.ledger)).toHaveLength(listTraces(chain.net.ledger).length);
    checkBlocks(second.net.ledger);
    await second.net.close();
    rmSync(folder, { recursive: true });
  });

  it("is made over shards, too", async () => {
    const split = await kit.open({ shards: 4 });
    expect(await playDemo(split.net, demo)).toEqual({ kind: "made" });
    checkBlocks(split.net.ledger);
    checkDelivery(split.net.ledger);
    expect(actionsOf(split)).toEqual(actionsOf(chain));
  });
});

/** The facts that an index would have about the accounts of the demo set. */
function factsOf({ people, jetton, nft, market, dns, multisig, staking }: Demo): Facts {
  const { alice, bob, carol, dave } = people;
  const owners = Object.values(people).map(({ address }) => address);
  const item = (collection: Address, index: bigint): NftItemFact => ({
    ...{ collection, index },
    owner: undefined,
    contentUri: undefined,
  });
  const sale = (nftItem: Address, seller: Address, coins: bigint) => ({
    ...{ nft: nftItem, nftOwner: seller, marketplace: market.market },
    fullPrice: coins * 1_000_000_000n,
  });
  const names = [...Object.values(dns.names), dns.auctionedName];
  const signers = [alice.address, bob.address, carol.address];
  return makeFacts({
    jettonWallets: new Map(owners.map((owner) => [jetton.walletOf(owner), { owner, jetton: jetton.minter }])),
    nftItems: new Map([
      ...nft.items.map((address, index) => [address, item(nft.collection, BigInt(index))] as const),
      ...names.map((address) => [address, item(dns.collection, 0n)] as const),
    ]),
    codeHashes: new Map([
      [staking.pool, parseHash(demoCodes.nominatorPool.hash)],
      ...names.map((address) => [address, parseHash(demoCodes.dnsItem.hash)] as const),
    ]),
    nftSales: new Map([
      [market.openSale, sale(nft.items[0], bob.address, 25n)],
      [market.finishedSale, sale(nft.items[2], dave.address, 10n)],
    ]),
    multisigOrders: new Map([
      [multisig.executedOrder, { signers }],
      [multisig.openOrder, { signers }],
    ]),
  });
}

/** The number of actions of each type over all traces. */
function actionsOf({ net }: TestChain): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const facts = factsOf(demo);
  for (const trace of listTraces(net.ledger)) {
    const { state, actions } = classify(trace, facts);
    expect(state).toBe("ok");
    for (const { type, success } of actions) {
      const name = success ? type : `failed ${type}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}

describe("the actions of the demo set", () => {
  it("are the intended ones", () => {
    expect(actionsOf(chain)).toEqual({
      auction_bid: 2,
      auction_outbid: 2,
      call_contract: 37,
      change_dns: 2,
      contract_deploy: 27,
      election_deposit: 13,
      election_recover: 13,
      // One is below the smallest stake.
      "failed election_deposit": 1,
      jetton_burn: 1,
      jetton_mint: 3,
      jetton_transfer: 3,
      multisig_approve: 1,
      multisig_create_order: 2,
      multisig_execute: 1,
      nft_mint: 7,
      nft_purchase: 1,
      nft_put_on_sale: 2,
      nft_transfer: 6,
      stake_deposit: 5,
      stake_withdrawal: 1,
      stake_withdrawal_request: 2,
      ton_transfer: 20,
      // The owner of the network sets the DNS root.
      unknown: 1,
      vesting_add_whitelist: 1,
      vesting_send_message: 1,
    });
  });
});
