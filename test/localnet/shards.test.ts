import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findShardInfo } from "../../kit/lite/queries/shardInfo.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { fetchAccount } from "../../src/lite/queries/accounts.ts";
import { fetchBlock } from "../../src/lite/queries/blocks.ts";
import { type Lookup, lookUpProven } from "../../src/lite/queries/lookup.ts";
import { fetchQueueSize, fetchQueueSizes } from "../../src/lite/queries/queues.ts";
import { fetchAllShards, fetchShardBlockProof } from "../../src/lite/queries/shards.ts";
import { TrustedChain } from "../../src/lite/queries/TrustedChain.ts";
import { fetchBlockTransactionsExt } from "../../src/lite/queries/transactions.ts";
import { ChainView } from "../../src/localnet/ledger/ChainView.ts";
import { type Address, makeAddress } from "../../src/model/Address.ts";
import { basechain, masterchain, shardHolds } from "../../src/model/block/BlockId.ts";
import { shardTopId } from "../../src/model/block/ShardHashes.ts";
import { type ServedChain, serveChain } from "../kit/lite/serveChain.ts";
import { checkBlocks, checkDelivery, checkTotals } from "../kit/localnet/checkDelivery.ts";
import { listBlocks } from "../kit/localnet/ledgerTransactions.ts";
import { type ChainKit, openChainKit, type TestChain } from "../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;
const { signal } = new AbortController();
const options = { signal };

let kit: ChainKit;
let chain: TestChain;
let served: ServedChain;
beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open({ shards: 4 });
  served = await serveChain(chain.net.lite);
});
afterAll(async () => {
  await served.close();
  await kit.close();
});

/** An account in each quarter of the basechain. */
const people = ["1", "5", "9", "d"].map((digit) => makeAddress(0, digit.repeat(64)));

function shardsOf({ net }: TestChain): string[] {
  return new ChainView(net.ledger).tops().map(({ shard }) => shard.toString(16));
}

async function pay(payer: TestChain, to: readonly Address[]): Promise<void> {
  for (const [i, address] of to.entries()) await payer.send(payer.wallet(3 + i), { to: address, amount: coin });
}

describe("a network of several shards", () => {
  it("splits from one shard with valid blocks before and after", () => {
    expect(shardsOf(chain)).toEqual([1, 3, 5, 7].map((n) => (BigInt(n) << 61n).toString(16)));
    const marks = listBlocks(chain.net.ledger)
      .filter(({ id }) => id.workchain === basechain)
      .map(({ id, info }) => [id.shard.toString(16)[0], id.seqno, info.afterSplit, info.beforeSplit]);
    expect(marks.sort((a, b) => Number(a[1]) - Number(b[1]) || (String(a[0]) < String(b[0]) ? -1 : 1))).toEqual([
      ["8", 1, false, true],
      ["4", 2, true, false],
      ["c", 2, true, false],
      ["4", 3, false, true],
      ["c", 3, false, true],
      ["2", 4, true, false],
      ["6", 4, true, false],
      ["a", 4, true, false],
      ["e", 4, true, false],
    ]);
    checkBlocks(chain.net.ledger);
    expect(chain.net.ledger.head?.info.genUtime).toBeLessThanOrEqual(chain.net.clock.seconds);
  });

  it("delivers across its shards and reads each account from the right one", async () => {
    await pay(chain, people);
    await chain.rounds(4);
    expect(people.map((address) => chain.balance(address))).toEqual(people.map(() => coin));
    const { ledger } = chain.net;
    checkTotals(ledger);
    checkDelivery(ledger);
    const trusted = new TrustedChain({ start: ledger.zero.id, zeroState: ledger.zero.id, proofs: "check" });
    const { block } = await trusted.head(served.connection, options);
    for (const address of people) {
      const { entry, shard } = await fetchAccount(served.connection, block, address, options);
      expect(entry?.account).toMatchObject({ storage: { balance: { coins: coin } } });
      expect(shard !== undefined && shardHolds(shard.block, address)).toBe(true);
    }
    const nobody = await fetchAccount(served.connection, block, makeAddress(0, "7".repeat(64)), options);
    expect(nobody.entry).toBeUndefined();
  });

  it("proves its shard lists, shard blocks, transactions and lookups", async () => {
    const { ledger } = chain.net;
    const { connection } = served;
    for (const { id, info, masterSeqno, bytes } of listBlocks(ledger)) {
      expect(Buffer.compare((await fetchBlock(connection, id, options)).bytes, bytes)).toBe(0);
      const ways: Lookup[] = [
        { workchain: id.workchain, shard: id.shard, by: "seqno", seqno: id.seqno },
        ...(id.seqno > 1 ? [{ workchain: id.workchain, shard: id.shard, by: "lt" as const, lt: info.endLt }] : []),
      ];
      for (const lookup of ways)
        expect((await lookUpProven(connection, ledger.headId, lookup, options)).id).toEqual(id);
      await fetchBlockTransactionsExt(connection, id, { count: 256 }, options);
      if (id.workchain !== masterchain) {
        expect((await fetchShardBlockProof(connection, id, options)).masterBlock.seqno).toBe(masterSeqno);
        continue;
      }
      const tops = await fetchAllShards(connection, id, options);
      expect(tops).toEqual(new ChainView(ledger, id).tops());
      for (const top of tops)
        expect(await findShardInfo(connection, id, { ...top, exact: true }, options)).toEqual(top);
    }
  });

  it("reports the queue of each shard", async () => {
    await pay(chain, people);
    await chain.rounds(1);
    const { ledger } = chain.net;
    const tops = new ChainView(ledger).tops().map(shardTopId);
    const { shards } = await fetchQueueSizes(served.connection, undefined, options);
    expect(shards.map(({ block }) => block)).toEqual([ledger.headId, ...tops]);
    const proved = [];
    for (const { block } of shards) proved.push(await fetchQueueSize(served.connection, block, options));
    expect(proved).toEqual(shards);
    expect(shards.reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(0);
    await chain.rounds(4);
    checkTotals(ledger);
  });
});

describe("a chain of the same seed and clock", () => {
  it.each([1, 2] as const)("has the same blocks byte for byte, in %i shards", async (shards) => {
    const hashes: string[][] = [];
    for (let run = 0; run < 2; run++) {
      const same = await kit.open({ shards });
      const random = seededRandom("the same traffic");
      for (let round = 0; round < 12; round++) {
        const to = makeAddress(random.int(4) === 0 ? -1 : 0, Buffer.from(random.bytes(32)).toString("hex"));
        await same.send(same.wallet(random.int(9)), { to, amount: BigInt(random.int(1000)), bounce: true });
        await same.rounds(1);
      }
      hashes.push(listBlocks(same.net.ledger).map(({ id }) => id.fileHash));
    }
    expect(hashes[0]?.length).toBeGreaterThan(24);
    expect(hashes[1]).toEqual(hashes[0]);
  });
});

describe("a folder", () => {
  it("continues in its shards and cannot be opened with another number of them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tongate-shards-"));
    const first = await kit.open({ shards: 2, folder });
    await pay(first, people);
    await first.rounds(3);
    await first.net.close();
    await expect(kit.open({ shards: 4, folder })).rejects.toMatchObject({ code: "localnet/data" });
    const again = await kit.open({ folder });
    expect(shardsOf(again)).toEqual(["4000000000000000", "c000000000000000"]);
    expect(again.net.ledger.headId).toEqual(first.net.ledger.headId);
    await pay(again, people);
    await again.rounds(3);
    // Minus one nanocoin of storage fees.
    expect(people.map((address) => again.balance(address))).toEqual(people.map(() => 2n * coin - 1n));
    await again.net.close();
    rmSync(folder, { recursive: true });
  });
});
