import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { liveBytes } from "../../kit/attacks/liveBytes.ts";
import { cellOf, chainOf } from "../../kit/cell/anyCell.ts";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import { loadCell } from "../../src/cell/codec.ts";
import { weighCells } from "../../src/cell/weighCells.ts";
import { systemFiles } from "../../src/lib/files/FileSystem.ts";
import { ProofCache } from "../../src/localnet/answers/kit/ProofCache.ts";
import { stateEvery } from "../../src/localnet/store/ChainFolder.ts";
import { StateStore } from "../../src/localnet/store/StateStore.ts";
import { ShardStateUnsplit } from "../../src/model/block/ShardState.ts";
import { openChainKit, recordLog } from "../kit/localnet/localChain.ts";
import { masterZeroState, oldBlockId, withOldBlocks } from "../kit/localnet/oldBlocks.ts";
import { repeats, someOf } from "../kit/suite/everything.ts";

const rounds = repeats({ usual: 120, all: 500 });
const cellBytes = 1 << 20;
const proofBytes = 128 << 10;

const kit = await openChainKit();
let folder: string;
afterAll(() => kit.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-memory-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("blocks, states and proofs of a chain weigh no more than they are given, however many are read", async () => {
  const { net, ...chain } = await kit.open({ cellBytes, proofBytes });
  const proofs = new ProofCache(async (block) => net.ledger.root(block), proofBytes);
  for (let round = 0; round < rounds; round++) {
    await chain.clock.advance(1000);
    await net.step();
    const block = net.ledger.getMaster(1 + ((round * 7) % net.ledger.headId.seqno));
    net.ledger.root(block);
    await proofs.header(block);
    expect(net.ledger.cellBytes).toBeLessThan(cellBytes);
    expect(proofs.bytes).toBeLessThan(proofBytes);
  }
  // Both have come near their limits.
  expect(net.ledger.cellBytes).toBeGreaterThan(cellBytes / 2);
  expect(proofs.bytes).toBeGreaterThan(proofBytes / 4);
});

/** Rounds whose memory is compared: caches are full before the first of them. */
const measured = { from: 2_048, to: repeats({ usual: 12_288, all: 22_528 }) };
const storedEvery = 256;

it("a state keeps less than 60 bytes in memory for every old block that it lists", async () => {
  const store = new StateStore(folder, systemFiles, recordLog());
  let state = await masterZeroState();
  let before = 0;
  for (let seqno = 0; seqno < measured.to; seqno += storedEvery) {
    const next = seqno + storedEvery;
    const whole = { id: oldBlockId(next), state: withOldBlocks(state, seqno, next) };
    const [copy] = await store.put(next, [whole], () => undefined);
    state = copy?.state ?? state;
    if (next === measured.from) before = liveBytes();
  }
  const perBlock = (liveBytes() - before) / (measured.to - measured.from);
  expect(
    loadCell(ShardStateUnsplit, state)
      .custom?.load()
      .history.prevBlocks.find(measured.to - 1),
  ).toBeDefined();
  expect(perBlock).toBeLessThan(60);
});

/**
 * Thousands of rounds, until caches are full and code is compiled, and more to measure: only with TONGATE_EVERYTHING,
 * and with the time that a slow machine needs. Memory is read when states have just been stored and replaced by small
 * copies: in between it rises and falls by megabytes; the lowest of four readings differs by less than 0.3 MB from the
 * next ones, and 4,000 rounds at the limit are 1.6 MB. The table of blocks takes 82 bytes a round; with the limit,
 * 100,000 rounds stay below a tenth of what the program has at its start.
 */
const idle = { before: 32 * stateEvery, measured: 16 * stateEvery, readings: 4, maxBytes: 400, timeoutMs: 3_600_000 };

async function measureIdle(): Promise<void> {
  const { net, clock } = await kit.open({ folder });
  const run = async (rounds: number) => {
    for (let i = 0; i < rounds; i++) {
      await clock.advance(1000);
      await net.step();
    }
  };
  const lowestBytes = async () => {
    const readings: number[] = [];
    for (let i = 0; i < idle.readings; i++) {
      await run(stateEvery);
      readings.push(liveBytes());
    }
    return Math.min(...readings);
  };
  liveBytes();
  await run(idle.before);
  const before = await lowestBytes();
  await run(idle.measured - idle.readings * stateEvery);
  expect(((await lowestBytes()) - before) / idle.measured).toBeLessThan(idle.maxBytes);
  await net.close();
}

it.each(someOf(["idle"], () => false))(
  "an %s chain keeps less than 400 bytes in memory for a round",
  measureIdle,
  idle.timeoutMs,
);

it("a cell weighs the whole bag that it keeps alive", () => {
  const large = readRoot(writeBoc(cellOf("1", [chainOf(300), cellOf("01")])));
  expect(weighCells(large.ref(1))).toBe(weighCells(large));
  expect(weighCells(large, large.ref(1), undefined)).toBe(weighCells(large));
  expect(weighCells(readRoot(writeBoc(large.ref(1))))).toBeLessThan(weighCells(large) / 2);
});
