import { afterAll, describe, expect, it, vi } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { type Random, seededRandom } from "../../../src/lib/random.ts";
import { plainInit } from "../../../src/localnet/genesis/genesis.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import { signConfigChange } from "../../../src/localnet/network/configChange.ts";
import { Faucet } from "../../../src/localnet/network/faucet.ts";
import { Traffic } from "../../../src/localnet/offer/traffic.ts";
import type { Transfer } from "../../../src/localnet/wallets/transfer.ts";
import { maxTransfers } from "../../../src/localnet/wallets/transfer.ts";
import type { Wallet } from "../../../src/localnet/wallets/Wallet.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { configParam } from "../../../src/model/config/ConfigParams.ts";
import type { BlockLimits } from "../../../src/model/config/limits.ts";
import { StateInit } from "../../../src/model/StateInit.ts";
import { checkBlocks, checkDelivery, checkTotals } from "../../kit/localnet/checkDelivery.ts";
import { listBlocks, listTransactions } from "../../kit/localnet/ledgerTransactions.ts";
import { openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";
import { setSplitDepths, shardsOf } from "../../kit/localnet/splits.ts";
import { repeats } from "../../kit/suite/everything.ts";

const kit = await openChainKit();
afterAll(() => kit.close());

// Code that always fails: THROW 77.
const failing = plainInit(beginCell().storeUint(0xf2c04d, 24).cell(), emptyCell);

/** A transfer to a funded wallet, a new account, the masterchain, or failing code. */
function randomTransfer(chain: TestChain, random: Random): Transfer {
  const amount = BigInt(random.int(1_000_000_000));
  const bounce = random.int(2) === 0;
  const new256 = Buffer.from(random.bytes(32)).toString("hex");
  switch (random.int(5)) {
    case 0:
      return { to: makeAddress(0, new256), amount, bounce };
    case 1:
      return { to: makeAddress(-1, new256), amount, bounce };
    case 2:
      return { to: initAddress(random.int(2) - 1), amount, bounce, init: failing };
    default:
      return { to: chain.wallet(random.int(10)).address, amount, bounce };
  }
}

function initAddress(workchain: number): Address {
  return makeAddress(workchain, storeCell(StateInit, failing).hash());
}

async function sendSomething(chain: TestChain, random: Random): Promise<void> {
  const wallet = chain.wallet(random.int(9));
  const max = Math.min(8, maxTransfers[wallet.version]);
  await sendUnlessBusy(
    chain,
    wallet,
    Array.from({ length: 1 + random.int(max) }, () => randomTransfer(chain, random)),
  );
}

async function sendUnlessBusy(chain: TestChain, wallet: Wallet, transfers: readonly Transfer[]): Promise<void> {
  try {
    await chain.send(wallet, ...transfers);
  } catch (error) {
    // The wallet already has a message in flight, as happens with real users.
    if (!isCoded(error, "lite/server")) throw error;
  }
}

/** All wallets send to the same account at once. */
async function floodOne(chain: TestChain, random: Random): Promise<void> {
  const { address } = chain.wallet(random.int(10));
  for (let index = 0; index < 9; index++) {
    const transfers = Array.from({ length: maxTransfers[chain.wallet(index).version] > 4 ? 8 : 4 }, () => ({
      to: address,
      amount: BigInt(random.int(1_000_000)),
      bounce: random.int(2) === 0,
    }));
    await sendUnlessBusy(chain, chain.wallet(index), transfers);
  }
}

async function waitUntilIdle(chain: TestChain): Promise<void> {
  while (chain.net.hasWork) await chain.rounds(1);
}

describe("random traffic", () => {
  // A round makes one block per shard and one masterchain block.
  const blocks = repeats({ usual: 150, all: 450 });
  it.each(([1, 2, 4] as const).map((shards) => ({ shards, rounds: Math.ceil(blocks / (1 + shards)) })))(
    "loses no coin and no message in many blocks of $shards shards",
    async ({ shards, rounds }) => {
      const chain = await kit.open({ shards });
      const random = seededRandom(`traffic in ${shards} shards`);
      for (let round = 0; round < rounds; round++) {
        if (random.int(2) === 0) await sendSomething(chain, random);
        if (round % 50 === 25) await floodOne(chain, random);
        await chain.rounds(1);
      }
      await waitUntilIdle(chain);
      checkTotals(chain.net.ledger);
      checkBlocks(chain.net.ledger);
      expect(new ChainView(chain.net.ledger).tops()).toHaveLength(shards);
      expect(checkDelivery(chain.net.ledger).delivered).toBeGreaterThan(blocks / 3);
    },
  );

  it("waits in order if blocks are too small for it", async () => {
    const chain = await kit.open();
    const small = { underload: 1_000, softLimit: 5_000, hardLimit: 10_000 };
    const wide = { underload: 100_000, softLimit: 500_000, hardLimit: 1_000_000 };
    const limits: BlockLimits = { kind: "v1", bytes: wide, gas: small, ltDelta: wide };
    const now = chain.net.clock.seconds;
    await chain.submit(signConfigChange(chain.net.keys.owner, 23, limits, { seqno: 0, now }));
    await chain.rounds(2);
    const random = seededRandom("flood");
    for (let index = 0; index < 9; index++) {
      const max = Math.min(40, maxTransfers[chain.wallet(index).version]);
      await chain.send(chain.wallet(index), ...Array.from({ length: max }, () => randomTransfer(chain, random)));
    }
    await chain.rounds(1);
    expect(chain.net.pending).toBeGreaterThan(0);
    expect(chain.net.hasWork).toBe(true);
    await waitUntilIdle(chain);
    expect(chain.net.pending).toBe(0);
    const perBlock = listBlocks(chain.net.ledger).map((block) => chain.net.ledger.block(block));
    expect(perBlock.length).toBeGreaterThan(15);
    checkTotals(chain.net.ledger);
    checkBlocks(chain.net.ledger);
    checkDelivery(chain.net.ledger);
  });
});

describe("the faucet", () => {
  it("sends to many at once from one wallet", async () => {
    const chain = await kit.open();
    const faucet = new Faucet({}, { net: chain.net });
    const people = Array.from({ length: 300 }, (_, i) =>
      makeAddress(0, i.toString(16).padStart(3, "0").padEnd(64, "a")),
    );
    const given = Promise.all(people.map((to) => faucet.give(to, 5_000_000_000n)));
    for (let i = 0; i < 8; i++) await chain.rounds(1);
    const blocks = new Set((await given).map(({ masterSeqno }) => masterSeqno));
    expect(blocks.size).toBeLessThanOrEqual(3);
    expect(people.map((to) => chain.balance(to))).toEqual(people.map(() => 5_000_000_000n));
  });

  it("rejects more than its limit", async () => {
    const chain = await kit.open();
    const faucet = new Faucet({ max: 10n }, { net: chain.net });
    const to = makeAddress(0, "a".repeat(64));
    await expect(faucet.give(to, 11n)).rejects.toMatchObject({ code: "localnet/amount" });
    await expect(faucet.give(to, 0n)).rejects.toMatchObject({ code: "localnet/amount" });
  });
});

describe("the traffic generator", () => {
  it("makes the configured number of transfers per second", async () => {
    const chain = await kit.open();
    const modules = { net: chain.net, faucet: new Faucet({}, { net: chain.net }), log: chain.log };
    const traffic = new Traffic({ perSecond: 5, wallets: 12 }, modules);
    let isStarted = false;
    void traffic.start().then(() => {
      isStarted = true;
    });
    while (!isStarted) await chain.rounds(1);
    const before = listTransactions(chain.net.ledger).length;
    for (let i = 0; i < 6; i++) {
      await chain.rounds(1);
      // Submitted messages are tried on another thread in the meantime; one of these rounds takes them.
      for (let more = 0; more < 3; more++) await chain.net.step();
    }
    traffic.stop();
    expect(traffic.counters.refused).toBe(0);
    expect(traffic.counters.accepted).toBeGreaterThanOrEqual(20);
    expect(listTransactions(chain.net.ledger).length).toBeGreaterThan(before + 30);
  });

  it("splits a basechain of as many shards as it needs, which merges after the end of the traffic", async () => {
    const chain = await kit.open({ shards: "auto" });
    const { ledger, controls } = chain.net;
    const wide = { underload: 2_000_000, softLimit: 10_000_000, hardLimit: 20_000_000 };
    const bytes = { underload: 600, softLimit: 1_500, hardLimit: 1_000_000 };
    controls.setConfig(23, storeCell(configParam[23], { kind: "v1", bytes, gas: wide, ltDelta: wide }));
    setSplitDepths(chain.net, 0, 1);
    const modules = { net: chain.net, faucet: new Faucet({}, { net: chain.net }), log: chain.log };
    const traffic = new Traffic({ perSecond: 3, wallets: 12, seconds: 60 }, modules);
    const counts = [shardsOf(ledger).length];
    const submit = vi.spyOn(chain.net, "submit");
    const makeBlock = async () => {
      await chain.clock.advance(1000);
      // Every message is tried on another thread before it can be in a block.
      await Promise.allSettled(submit.mock.results.map(({ value }) => value));
      await chain.net.step();
      const { length } = shardsOf(ledger);
      if (length !== counts.at(-1)) counts.push(length);
    };
    const hasEnded = () => chain.log.lines.includes("the traffic has ended");
    const started = traffic.start();
    for (let round = 0; round < 200 && !hasEnded(); round++) await makeBlock();
    await started;
    const { accepted } = traffic.counters;
    expect(counts).toEqual([1, 2]);
    for (let round = 0; round < 1_000 && counts.length < 3; round++) await makeBlock();
    expect(counts).toEqual([1, 2, 1]);
    expect(traffic.counters.accepted).toBe(accepted);
    await waitUntilIdle(chain);
    checkTotals(ledger);
    checkDelivery(ledger);
  });
});
