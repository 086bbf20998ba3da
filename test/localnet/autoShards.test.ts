import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storeCell } from "../../src/cell/codec.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { fetchAccount } from "../../src/lite/queries/accounts.ts";
import { fetchBlock } from "../../src/lite/queries/blocks.ts";
import { lookUpProven } from "../../src/lite/queries/lookup.ts";
import { fetchShardBlockProof } from "../../src/lite/queries/shards.ts";
import { TrustedChain } from "../../src/lite/queries/TrustedChain.ts";
import { ChainView } from "../../src/localnet/ledger/ChainView.ts";
import type { Ledger } from "../../src/localnet/ledger/Ledger.ts";
import { type Address, makeAddress } from "../../src/model/Address.ts";
import { basechain, wholeShard } from "../../src/model/block/BlockId.ts";
import { configParam } from "../../src/model/config/ConfigParams.ts";
import { serveChain } from "../kit/lite/serveChain.ts";
import { checkBlocks, checkDelivery, checkTotals } from "../kit/localnet/checkDelivery.ts";
import { listBlocks } from "../kit/localnet/ledgerTransactions.ts";
import { type ChainKit, openChainKit, type TestChain } from "../kit/localnet/localChain.ts";
import { listDifferentReplays } from "../kit/localnet/replayLedger.ts";
import { setSplitDepths, shardsOf } from "../kit/localnet/splits.ts";

const whole = wholeShard.toString(16);
let kit: ChainKit;
beforeAll(async () => {
  kit = await openChainKit();
});
afterAll(() => kit.close());

/** Accounts in all sixteen parts of the basechain. */
const people = Array.from({ length: 16 }, (_, i) => makeAddress(0, i.toString(16).repeat(64)));

function isAt(ledger: Ledger, depth: number): boolean {
  const tops = new ChainView(ledger).tops();
  return (
    tops.length === 2 ** depth && tops.every(({ description }) => !description.beforeSplit && !description.beforeMerge)
  );
}

/** Makes rounds in which wallets pay people, until the basechain is split that often. */
async function paysUntil(chain: TestChain, depth: number, seed: string): Promise<Map<Address, bigint>> {
  const random = seededRandom(seed);
  const paid = new Map<Address, bigint>();
  for (let round = 0; round < 40 && !isAt(chain.net.ledger, depth); round++) {
    for (const at of [0, 1, 2]) {
      const to = people[random.int(people.length)] as Address;
      const amount = BigInt(1 + random.int(1000)) * 1_000_000n;
      await chain.send(chain.wallet(at), { to, amount });
      paid.set(to, (paid.get(to) ?? 0n) + amount);
    }
    await chain.rounds(1);
  }
  expect(isAt(chain.net.ledger, depth)).toBe(true);
  return paid;
}

async function settle(chain: TestChain): Promise<void> {
  do await chain.rounds(1);
  while (chain.net.hasWork);
}

/** The blocks of the basechain around its splits and merges. */
function countEvents(ledger: Ledger) {
  const infos = listBlocks(ledger)
    .filter(({ id }) => id.workchain === basechain)
    .map(({ info }) => info);
  return {
    beforeSplit: infos.filter(({ beforeSplit }) => beforeSplit).length,
    afterSplit: infos.filter(({ afterSplit }) => afterSplit).length,
    afterMerge: infos.filter(({ afterMerge }) => afterMerge).length,
  };
}

describe("a basechain that splits to sixteen shards and merges to one, with messages under way", () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-auto-"));
  let chain: TestChain;
  const received = new Map<Address, bigint>();

  beforeAll(async () => {
    chain = await kit.open({ shards: "auto", folder });
    expect(shardsOf(chain.net.ledger)).toEqual([whole]);
    for (const [i, depth] of [4, 0].entries()) {
      setSplitDepths(chain.net, depth, depth);
      const paid = await paysUntil(chain, depth, `depth ${depth} ${i}`);
      for (const [address, amount] of paid) received.set(address, (received.get(address) ?? 0n) + amount);
    }
    await settle(chain);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("delivers every message once, and keeps all coins", () => {
    const { ledger } = chain.net;
    expect(shardsOf(ledger)).toEqual([whole]);
    expect(countEvents(ledger)).toEqual({ beforeSplit: 15, afterSplit: 30, afterMerge: 15 });
    checkBlocks(ledger);
    checkTotals(ledger);
    expect(checkDelivery(ledger).delivered).toBeGreaterThan(30);
    // Less storage fees of a few nanocoins.
    for (const [address, amount] of received) {
      expect(chain.balance(address)).toBeLessThanOrEqual(amount);
      expect(chain.balance(address)).toBeGreaterThan(amount - 1000n);
    }
  });

  it("can be run again, transaction by transaction", async () => {
    expect(await listDifferentReplays(chain.net.ledger, kit.executor)).toEqual([]);
  });

  it("proves its blocks and accounts over every split and merge", async () => {
    const { ledger } = chain.net;
    const served = await serveChain(chain.net.lite);
    const options = { signal: new AbortController().signal };
    for (const { id, info, masterSeqno, bytes } of listBlocks(ledger)) {
      if (id.workchain !== basechain) continue;
      if (!(info.afterMerge || info.afterSplit || info.beforeSplit)) continue;
      expect(Buffer.compare((await fetchBlock(served.connection, id, options)).bytes, bytes)).toBe(0);
      const lookup = { workchain: id.workchain, shard: id.shard, by: "seqno" as const, seqno: id.seqno };
      expect((await lookUpProven(served.connection, ledger.headId, lookup, options)).id).toEqual(id);
      expect((await fetchShardBlockProof(served.connection, id, options)).masterBlock.seqno).toBe(masterSeqno);
    }
    const trusted = new TrustedChain({ start: ledger.zero.id, zeroState: ledger.zero.id, proofs: "check" });
    const { block } = await trusted.head(served.connection, options);
    for (const address of people) {
      const { entry } = await fetchAccount(served.connection, block, address, options);
      expect(entry?.account).toEqual(chain.net.account(address).account.load());
    }
    await served.close();
  });

  it("is the same chain when it is opened again, and splits on", async () => {
    const head = chain.net.ledger.headId;
    await chain.net.close();
    await expect(kit.open({ shards: 2, folder })).rejects.toMatchObject({ code: "localnet/data" });
    chain = await kit.open({ shards: "auto", folder });
    expect(chain.net.ledger.headId).toEqual(head);
    expect(countEvents(chain.net.ledger).afterMerge).toBe(15);
    setSplitDepths(chain.net, 1, 1);
    await paysUntil(chain, 1, "again");
    await settle(chain);
    checkTotals(chain.net.ledger);
    checkDelivery(chain.net.ledger);
    await chain.net.close();
  });
});

describe("a basechain whose shards split by load", () => {
  it("splits when blocks are full for long enough, and merges when they are nearly empty", async () => {
    const chain = await kit.open({ shards: "auto" });
    const { ledger, controls } = chain.net;
    const bytes = { underload: 600, softLimit: 1_500, hardLimit: 1_000_000 };
    const gas = { underload: 2_000_000, softLimit: 10_000_000, hardLimit: 20_000_000 };
    const limits = {
      kind: "v1" as const,
      bytes,
      gas,
      ltDelta: { underload: 1_000, softLimit: 5_000, hardLimit: 10_000 },
    };
    controls.setConfig(23, storeCell(configParam[23], limits));
    setSplitDepths(chain.net, 0, 1);
    await paysUntil(chain, 1, "load");
    const [before] = listBlocks(ledger).filter(({ info }) => info.beforeSplit);
    expect(before?.info).toMatchObject({ wantSplit: true, wantMerge: false });
    for (let round = 0; round < 40 && !isAt(ledger, 0); round++) await chain.rounds(1);
    expect(isAt(ledger, 0)).toBe(true);
    const [merged] = listBlocks(ledger).filter(({ info }) => info.afterMerge);
    const parents = merged?.info.prev.map(({ rootHash }) =>
      listBlocks(ledger).find(({ id }) => id.rootHash === rootHash),
    );
    expect(parents?.map((parent) => parent?.info.wantMerge)).toEqual([true, true]);
    // 24 blocks in a row are nearly empty, as in a real network.
    const after = listBlocks(ledger).filter(({ info }) => info.afterSplit)[0]?.id.seqno ?? 0;
    expect((merged?.id.seqno ?? 0) - after).toBeGreaterThanOrEqual(24);
    checkBlocks(ledger);
    checkTotals(ledger);
    checkDelivery(ledger);
  });
});
