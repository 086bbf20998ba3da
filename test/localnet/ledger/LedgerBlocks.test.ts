import { createHash } from "node:crypto";
import { afterAll, expect, it } from "vitest";
import { readRoot } from "../../../src/cell/boc.ts";
import { LedgerBlocks, type PlaceReader } from "../../../src/localnet/ledger/LedgerBlocks.ts";
import { masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import { hashFromBytes } from "../../../src/model/Hash.ts";
import { openChainKit } from "../../kit/localnet/localChain.ts";

const kit = await openChainKit();
afterAll(() => kit.close());

it("of many blocks few are objects; the others are made again and read from their places", async () => {
  const { net } = await kit.open();
  const sample = net.ledger.getMaster(1);
  const { bytes, info } = sample;
  const reads: number[] = [];
  const source: PlaceReader = {
    read: (position, length) => {
      reads.push(position);
      return bytes.subarray(0, length);
    },
    head: (position) => ({ id: idOf(position / 1_000_000), length: bytes.length }),
  };
  const blocks = new LedgerBlocks();
  const count = 10_000;
  const idOf = (seqno: number) => {
    const rootHash = hashFromBytes(createHash("sha256").update(`block ${seqno}`).digest());
    return { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash: rootHash };
  };
  for (let seqno = 1; seqno <= count; seqno++) {
    const entry = blocks.add(idOf(seqno), info, { source, position: seqno * 1_000_000, length: bytes.length });
    blocks.commit(entry, seqno);
  }
  expect(blocks.bytes).toBeLessThan(52 * count + 2_200_000);

  const held = blocks.find(idOf(1).rootHash);
  expect([held?.id, held?.masterSeqno]).toEqual([idOf(1), 1]);
  expect(held?.times).toEqual({ genUtime: info.genUtime, endLt: info.endLt });
  expect(reads).toEqual([]);
  expect(held?.info).toEqual(info);
  expect(reads).toEqual([1_000_000]);
  // Who has read the cells of a block has its header, too.
  const other = blocks.find(idOf(2).rootHash);
  other?.learn(readRoot(bytes));
  expect(other?.info).toEqual(info);
  expect(held?.info).toEqual(info);
  expect(reads).toEqual([1_000_000]);
  expect(blocks.findBySeqno({ workchain: masterchain, shard: wholeShard, seqno: 1 })).toBe(held);
});

it("an object that is held sees a commit that comes after it was made again", async () => {
  const { net } = await kit.open();
  const { id, info, bytes } = net.ledger.getMaster(1);
  const blocks = new LedgerBlocks();
  const entry = blocks.add(id, info, bytes);
  for (let seqno = 2; seqno < 5_000; seqno++) {
    const rootHash = hashFromBytes(createHash("sha256").update(`block ${seqno}`).digest());
    blocks.add({ ...id, seqno, rootHash }, info, bytes);
  }
  const again = blocks.find(id.rootHash);
  expect(again).not.toBe(entry);
  blocks.commit({ id }, 77);
  expect([entry.masterSeqno, again?.masterSeqno]).toEqual([77, 77]);
  expect(again?.bytes).toBe(bytes);
});
