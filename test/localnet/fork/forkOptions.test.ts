import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openReplayedBlock, replayAccount } from "../../../src/chain/replay/replay.ts";
import { Localnet } from "../../../src/localnet/network/Localnet.ts";
import { restoreArchive } from "../../../src/localnet/store/restoreArchive.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";
import { prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { openChain } from "../../kit/chain/openChain.ts";
import { type ServedOrigin, serveOrigin } from "../../kit/localnet/forkOrigin.ts";
import { type ChainKit, openChainKit, recordLog, TestChain } from "../../kit/localnet/localChain.ts";
import { testSeed } from "../../kit/localnet/testKeys.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const coin = 1_000_000_000n;
const hourMs = 3_600_000;
const receiver = makeAddress(0, "5a".repeat(32) as Hash);

let kit: ChainKit;
let origin: TestChain;
const opened: ServedOrigin[] = [];
beforeAll(async () => {
  kit = await openChainKit();
  origin = await kit.open();
  await origin.send(origin.wallet(0), { to: receiver, amount: coin });
  await origin.rounds(4);
});
afterEach(async () => {
  for (const served of opened.splice(0)) await served.close();
});
afterAll(() => kit.close());

async function serve(...args: Parameters<typeof serveOrigin>): Promise<ServedOrigin> {
  const served = await serveOrigin(...args);
  opened.push(served);
  return served;
}

function timeOf({ net }: TestChain): number {
  return net.ledger.head?.info.genUtime ?? 0;
}

describe("a fork", () => {
  it.each(["block", "now"] as const)("goes on with the time of --fork-time %s", async (time) => {
    const clock = new ManualClock(origin.clock.now() + hourMs);
    const log = recordLog();
    const settings = { seed: testSeed, pace: { kind: "manual" as const }, keys: kit.keys };
    const fork = { origin: await serve(origin.net), time };
    const net = await Localnet.open({ ...settings, fork }, { clock, executor: kit.executor, log });
    const chain = new TestChain(net, clock, log);
    await chain.rounds(1);
    const late = time === "now" ? hourMs / 1000 : 0;
    expect(timeOf(chain) - timeOf(origin)).toBeGreaterThanOrEqual(late);
    expect(timeOf(chain) - timeOf(origin)).toBeLessThan(late + 60);
    const before = timeOf(chain);
    await chain.rounds(5);
    expect(timeOf(chain) - before).toBe(5);
    await net.close();
  });

  it("has the network id of --fork-id in all its blocks, and that of its origin without it", async () => {
    const served = await serve(origin.net);
    const ids = [];
    for (const globalId of [-31_337, undefined]) {
      const { net } = await kit.open({ fork: { origin: served, globalId } });
      const { ledger } = net;
      await net.step();
      const blocks = [ledger.headId, ...prevBlockIds(ledger.getMaster(ledger.headId.seqno).info)];
      ids.push([net.globalId, ...blocks.map((id) => ledger.block(ledger.getBlock(id)).globalId)]);
    }
    expect(ids).toEqual([
      [-31_337, -31_337, -31_337],
      [origin.net.globalId, origin.net.globalId, origin.net.globalId],
    ]);
  });

  it("of a slow origin answers what it has, and the rest when it has come", async () => {
    let release = (): void => {};
    let waits: Promise<void> | undefined;
    const served = await serve(origin.net, async (query, lite, signal) => {
      await waits;
      return lite.ask(query, { signal });
    });
    const fork = await kit.open({ fork: { origin: served } });
    await fork.net.touch([fork.wallet(0).address]);
    waits = new Promise((resolve) => {
      release = resolve;
    });
    let hasCome = false;
    const coming = fork.net.touch([receiver]).then(() => {
      hasCome = true;
    });
    const head = fork.net.ledger.headId.seqno;
    await fork.rounds(3);
    expect(fork.net.ledger.headId.seqno).toBe(head + 3);
    expect(fork.balance(fork.wallet(0).address)).toBe(origin.balance(origin.wallet(0).address));
    expect(hasCome).toBe(false);
    release();
    await coming;
    expect(fork.balance(receiver)).toBe(origin.balance(receiver));
  });

  it("runs its own transactions again, and those of its origin", async () => {
    const fork = await kit.open({ fork: { origin: await serve(origin.net) } });
    await fork.net.touch([fork.wallet(0).address, receiver]);
    await fork.send(fork.wallet(0), { to: receiver, amount: coin });
    await fork.rounds(3);
    const { ledger } = fork.net;
    const chain = { ...openChain(ledger, fork.net.lite), executor: kit.executor };
    const count = async (id: BlockIdExt): Promise<number> => {
      const block = await openReplayedBlock(chain, { ...id, hashes: undefined });
      let replayed = 0;
      for (const place of block.accounts.keys()) {
        for await (const { isEqual } of replayAccount(chain, block, place)) {
          expect([id, isEqual]).toEqual([id, true]);
          replayed++;
        }
      }
      return replayed;
    };
    const counts = { own: 0, origin: 0 };
    const { seqno: forked } = fork.net.fork?.facts.master ?? { seqno: 0 };
    for (let seqno = 3; seqno <= ledger.headId.seqno; seqno++) {
      const net = seqno > forked ? fork.net : origin.net;
      const master = net.ledger.getMaster(seqno);
      for (const id of [master.id, ...shardBlocksOf(net, seqno)])
        counts[seqno > forked ? "own" : "origin"] += await count(id);
    }
    expect(counts.own).toBeGreaterThan(4);
    expect(counts.origin).toBeGreaterThan(1);
  });

  it("refuses a snapshot of it in a folder that has nothing of its origin", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tongate-fork-"));
    const served = await serve(origin.net);
    const place = join(folder, "fork");
    const archive = join(folder, "fork.chain");
    const fork = await kit.open({ fork: { origin: served }, folder: place });
    await fork.rounds(1);
    await fork.net.archive(archive);
    await fork.net.close();
    const restored = restoreArchive(archive, join(folder, "elsewhere"), recordLog());
    await expect(restored).rejects.toMatchObject({
      code: "localnet/snapshot",
      message: expect.stringContaining("is a snapshot of a fork"),
    });
    rmSync(folder, { recursive: true });
  });
});

/** The blocks of the basechain that a masterchain block commits. */
function shardBlocksOf({ ledger }: Localnet, seqno: number): readonly BlockIdExt[] {
  const found = ledger.findFirst(0, 1n << 63n, () => true);
  const first = found?.id.seqno ?? 0;
  const ids: BlockIdExt[] = [];
  for (let at = first; ; at++) {
    const block = ledger.findBySeqno({ workchain: 0, shard: 1n << 63n, seqno: at });
    if (block === undefined) return ids;
    if (block.masterSeqno === seqno) ids.push(block.id);
  }
}
