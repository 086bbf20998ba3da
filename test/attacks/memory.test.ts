import { afterAll, beforeAll, expect, it } from "vitest";
import { cellOf, chainOf } from "../../kit/cell/anyCell.ts";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import { weighCells } from "../../src/cell/weighCells.ts";
import { ProofCache } from "../../src/localnet/answers/kit/ProofCache.ts";
import { type ChainKit, openChainKit } from "../kit/localnet/localChain.ts";

const isLong = process.env.TONGATE_EVERYTHING !== undefined;
const rounds = isLong ? 2_000 : 120;
const cellBytes = 1 << 20;
const proofBytes = 128 << 10;

let kit: ChainKit;
beforeAll(async () => {
  kit = await openChainKit();
});
afterAll(() => kit.close());

it("blocks, states and proofs of a chain weigh no more than they are given, however many are read", async () => {
  const { net, ...chain } = await kit.open({ cellBytes, proofBytes });
  const proofs = new ProofCache(net.ledger, proofBytes);
  for (let round = 0; round < rounds; round++) {
    await chain.clock.advance(1000);
    await net.step();
    const block = net.ledger.getMaster(1 + ((round * 7) % net.ledger.headId.seqno));
    net.ledger.root(block);
    proofs.header(block);
    expect(net.ledger.cellBytes).toBeLessThan(cellBytes);
    expect(proofs.bytes).toBeLessThan(proofBytes);
  }
  // Both have come near their limits.
  expect(net.ledger.cellBytes).toBeGreaterThan(cellBytes / 2);
  expect(proofs.bytes).toBeGreaterThan(proofBytes / 4);
});

it("a cell weighs the whole bag that it keeps alive", () => {
  const large = readRoot(writeBoc(cellOf("1", [chainOf(300), cellOf("01")])));
  expect(weighCells(large.ref(1))).toBe(weighCells(large));
  expect(weighCells(large, large.ref(1), undefined)).toBe(weighCells(large));
  expect(weighCells(readRoot(writeBoc(large.ref(1))))).toBeLessThan(weighCells(large) / 2);
});
