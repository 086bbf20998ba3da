import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { BlockTable } from "../../../src/localnet/ledger/BlockTable.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import { type Hash, hashFromBytes } from "../../../src/model/Hash.ts";

function hashOf(text: string) {
  return hashFromBytes(createHash("sha256").update(text).digest());
}

function idOf(workchain: number, seqno: number, shard = wholeShard): BlockIdExt {
  const name = `${workchain} ${shard} ${seqno}`;
  return { workchain, shard, seqno, rootHash: hashOf(name), fileHash: hashOf(`${name} file`) };
}

/** A table whose owner knows the ids of its blocks. */
function openTable() {
  const table = new BlockTable();
  const ids: BlockIdExt[] = [];
  return {
    table,
    add: (id: BlockIdExt, position = 0, times = { genUtime: 0, endLt: 0n }) => {
      ids.push(id);
      return table.add(id, times, position);
    },
    find: (rootHash: Hash) => table.find(rootHash, (number) => ids[number]?.rootHash === rootHash),
  };
}

it("finds every block by its hash and by its seqno, with its position", () => {
  const { table, add, find } = openTable();
  for (let seqno = 1; seqno <= 3_000; seqno++) {
    // Positions beyond 4 GB, and those of blocks in memory, which are negative.
    add(idOf(0, seqno), seqno * 5_000_000);
    add(idOf(masterchain, seqno), -seqno);
  }
  for (let seqno = 1; seqno <= 3_000; seqno++) {
    const number = find(idOf(0, seqno).rootHash) ?? -1;
    expect(table.position(number)).toBe(seqno * 5_000_000);
    expect([...table.at(0, seqno)]).toEqual([number]);
    expect([...table.at(masterchain, seqno)].map((each) => table.position(each))).toEqual([-seqno]);
  }
  expect([table.count, table.highestSeqno(0), table.highestSeqno(1)]).toEqual([6_000, 3_000, 0]);
  expect([find(hashOf("none")), ...table.at(0, 3_001), ...table.at(1, 1)]).toEqual([undefined]);
});

it("asks its owner only about blocks whose hashes begin alike", () => {
  const { table, add } = openTable();
  const alike = ["a", "b"].map((end) => ({ ...idOf(0, 1), rootHash: `12345678${end.repeat(56)}` as Hash }));
  const numbers = [idOf(0, 2), ...alike, idOf(0, 3)].map((id) => add(id));
  const asked: number[] = [];
  const found = table.find(alike[1]?.rootHash as Hash, (number) => {
    asked.push(number);
    return number === numbers[2];
  });
  expect([found, asked]).toEqual([numbers[2], [numbers[1], numbers[2]]]);
});

it("keeps the shards of one seqno in the order in which they came", () => {
  const { table, add } = openTable();
  const shards = [1n, 3n, 5n, 7n].map((prefix) => prefix << 61n);
  const numbers = shards.map((shard) => add(idOf(0, 5, shard)));
  add(idOf(0, 6));
  expect([...table.at(0, 5)]).toEqual(numbers);
});

it("notes which masterchain block commits a block", () => {
  const { table, add } = openTable();
  const [first, second] = [1, 2].map((seqno) => add(idOf(0, seqno)));
  table.setMasterSeqno(second ?? -1, 9);
  expect([table.masterSeqno(first ?? -1), table.masterSeqno(second ?? -1)]).toEqual([0, 9]);
});

it("knows when a block was made and where it ends", () => {
  const { table, add } = openTable();
  const times = [
    { genUtime: 1, endLt: 0n },
    { genUtime: 0xffff_ffff, endLt: (1n << 64n) - 1n },
    { genUtime: 1_700_000_000, endLt: 50_000_000_000_001n },
  ];
  const numbers = times.map((each, at) => add(idOf(0, at + 1), at, each));
  expect(numbers.map((number) => table.times(number))).toEqual(times);
});

it("takes at most 52 bytes for a block", () => {
  const table = new BlockTable();
  const count = 50_000;
  for (let seqno = 1; seqno <= count; seqno++) table.add(idOf(0, seqno), { genUtime: 0, endLt: 0n }, 0);
  expect(table.bytes).toBeLessThan(52 * count);
  expect(table.bytes).toBeGreaterThan(32 * count);
});
