import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { BlockTable } from "../../../src/localnet/ledger/BlockTable.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import { hashFromBytes } from "../../../src/model/Hash.ts";

function hashOf(text: string) {
  return hashFromBytes(createHash("sha256").update(text).digest());
}

function idOf(workchain: number, seqno: number, shard = wholeShard): BlockIdExt {
  const name = `${workchain} ${shard} ${seqno}`;
  return { workchain, shard, seqno, rootHash: hashOf(name), fileHash: hashOf(`${name} file`) };
}

it("finds every block by its hash and by its seqno, and returns what it was given", () => {
  const table = new BlockTable();
  for (let seqno = 1; seqno <= 3_000; seqno++) {
    // Positions beyond 4 GB, and those of blocks in memory, which are negative.
    table.add({ id: idOf(0, seqno), position: seqno * 5_000_000, length: seqno });
    table.add({ id: idOf(masterchain, seqno), position: -seqno, length: 7 });
  }
  for (let seqno = 1; seqno <= 3_000; seqno++) {
    const id = idOf(0, seqno);
    const number = table.find(id.rootHash) ?? -1;
    expect(table.row(number)).toEqual({ id, position: seqno * 5_000_000, length: seqno });
    expect([...table.at(0, seqno)]).toEqual([number]);
    expect([...table.at(masterchain, seqno)].map((each) => table.row(each).position)).toEqual([-seqno]);
  }
  expect([table.count, table.highestSeqno(0), table.highestSeqno(1)]).toEqual([6_000, 3_000, 0]);
  expect([table.find(hashOf("none")), ...table.at(0, 3_001), ...table.at(1, 1)]).toEqual([undefined]);
});

it("keeps the shards of one seqno in the order in which they came", () => {
  const table = new BlockTable();
  const shards = [1n, 3n, 5n, 7n].map((prefix) => prefix << 61n);
  const numbers = shards.map((shard) => table.add({ id: idOf(0, 5, shard), position: 0, length: 0 }));
  table.add({ id: idOf(0, 6), position: 0, length: 0 });
  expect([...table.at(0, 5)]).toEqual(numbers);
  expect(numbers.map((number) => table.row(number).id.shard)).toEqual(shards);
});

it("notes which masterchain block commits a block", () => {
  const table = new BlockTable();
  const [first, second] = [1, 2].map((seqno) => table.add({ id: idOf(0, seqno), position: 0, length: 0 }));
  table.setMasterSeqno(second ?? -1, 9);
  expect([table.masterSeqno(first ?? -1), table.masterSeqno(second ?? -1)]).toEqual([0, 9]);
});

it("takes at most 130 bytes for a block", () => {
  const table = new BlockTable();
  const count = 50_000;
  for (let seqno = 1; seqno <= count; seqno++) table.add({ id: idOf(0, seqno), position: 0, length: 0 });
  expect(table.bytes).toBeLessThan(130 * count);
  expect(table.bytes).toBeGreaterThan(100 * count);
});
