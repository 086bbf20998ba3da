import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { changeDnsRecord } from "../../../src/contracts/families/dns/messages.ts";
import type { Wallet } from "../../../src/localnet/wallets/Wallet.ts";
import { type DemoStage, type JsonList, openDemoStage } from "../../kit/api/demoStage.ts";

const coin = 1_000_000_000n;
const week = 7 * 24 * 3_600;
const hour = 3_600;

let stage: DemoStage;

beforeAll(async () => {
  stage = await openDemoStage();
});

afterAll(() => stage?.close());

/** Sends coins to the name, as bids are sent, and indexes the effects. */
async function pay(by: Wallet, amount: bigint, body: Cell = emptyCell): Promise<void> {
  const { chain, demo } = stage;
  await chain.send(by, { to: demo.dns.auctionedName, amount, bounce: true, body });
  do await chain.rounds(1);
  while (chain.net.hasWork);
  await stage.index();
}

async function auctionsOf({ address }: Wallet, state: "won" | "bidding"): Promise<JsonList> {
  return (await stage.ask("dns/activeAuctions", { bidder: address, state })).auctions as JsonList;
}

describe("the auction of the demo set", () => {
  it("is led by the last bidder", async () => {
    const { people, dns } = stage.demo;
    const { transactions } = await stage.ask("transactions", { account: dns.auctionedName, sort: "asc" });
    const times = (transactions as JsonList).map((each) => Number(Object(each).now));
    // The auction begins when the name is made; the last transaction is the last bid.
    const [startedAt = 0, lastBidAt = 0] = [times[0], times.at(-1)];
    expect(await auctionsOf(people.alice, "bidding")).toEqual([
      {
        nft_item_address: dns.auctionedName.toUpperCase(),
        domain: "tea.ton",
        max_bid_address: people.alice.address.toUpperCase(),
        max_bid_amount: String(5n * coin),
        auction_end_time: String(startedAt + week),
        last_fill_up_time: String(lastBidAt),
        finished: false,
      },
    ]);
    expect(await auctionsOf(people.bob, "bidding")).toEqual([]);
  });

  it("takes a bid that is a twentieth higher, and returns the one before", async () => {
    const { alice, bob } = stage.demo.people;
    await pay(bob, (26n * coin) / 5n);
    expect(await auctionsOf(bob, "bidding")).toEqual([]);
    const before = stage.chain.balance(alice.address);
    await pay(bob, 6n * coin);
    expect(await auctionsOf(bob, "bidding")).toMatchObject([{ max_bid_amount: String(6n * coin) }]);
    expect(await auctionsOf(alice, "bidding")).toEqual([]);
    const returned = stage.chain.balance(alice.address) - before;
    expect([returned > 4n * coin, returned <= 5n * coin]).toEqual([true, true]);
  });

  it("runs for another hour after a late bid", async () => {
    const { carol } = stage.demo.people;
    const [running] = await auctionsOf(stage.demo.people.bob, "bidding");
    const { net } = stage.chain;
    net.advanceTime(Number(running?.auction_end_time) - net.clock.seconds - 60);
    await pay(carol, 7n * coin);
    const [late] = await auctionsOf(carol, "bidding");
    expect(Number(late?.auction_end_time)).toBe(Number(late?.last_fill_up_time) + hour);
  });

  it("gives the name to the highest bidder, who uses it first", async () => {
    const { people, dns } = stage.demo;
    const { carol } = people;
    stage.chain.net.advanceTime(2 * hour);
    await stage.chain.rounds(1);
    await stage.index();
    expect(await auctionsOf(carol, "won")).toMatchObject([{ domain: "tea.ton", finished: true }]);
    // Deletes a record that the name does not have.
    const use = beginCell().storeUint(changeDnsRecord.opcode, 32).storeBigUint(0n, 64).storeHex("1".repeat(64)).cell();
    await pay(people.bob, coin, use);
    expect(await auctionsOf(carol, "won")).toHaveLength(1);
    await pay(carol, coin, use);
    expect(await auctionsOf(carol, "won")).toEqual([]);
    const { nft_items: items } = await stage.ask("nft/items", { address: dns.auctionedName });
    expect(items).toMatchObject([{ owner_address: carol.address.toUpperCase() }]);
    const { actions } = await stage.ask("actions", { action_type: "dns_purchase" });
    expect(actions).toHaveLength(1);
  });
});
