import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { Mempool, type MempoolMessage } from "../../../src/localnet/rounds/Mempool.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const alice = makeAddress(0, "a".repeat(64));
const bob = makeAddress(0, "b".repeat(64));

function message(number: number, dest: Address = alice): MempoolMessage {
  const cell = beginCell().storeUint(number, 32).cell();
  return { hash: cell.hash(), cell, dest };
}

describe("the mempool", () => {
  it("keeps messages in the order of their arrival, each once, until they are removed", () => {
    const pool = new Mempool({}, new ManualClock());
    expect([1, 2, 3, 2].map((number) => pool.add(message(number)))).toEqual(["added", "added", "added", "known"]);
    const hashes = (max: number) => pool.list(max).map(({ hash }) => hash);
    expect(hashes(2)).toEqual([message(1).hash, message(2).hash]);
    pool.remove(message(1).hash);
    pool.remove(message(1).hash);
    expect(hashes(9)).toEqual([message(2).hash, message(3).hash]);
    expect(pool.size).toBe(2);
    pool.clear();
    expect(hashes(9)).toEqual([]);
  });

  it("is bounded, as a whole and for each account", () => {
    const pool = new Mempool({ maxMessages: 3, maxPerAccount: 2 }, new ManualClock());
    expect([1, 2, 3].map((number) => pool.add(message(number)))).toEqual(["added", "added", "full"]);
    expect([4, 5].map((number) => pool.add(message(number, bob)))).toEqual(["added", "full"]);
    pool.remove(message(1).hash);
    expect(pool.add(message(3))).toBe("added");
  });

  it("drops messages that waited too long", async () => {
    const clock = new ManualClock();
    const pool = new Mempool({ lifetimeMs: 1_000, maxPerAccount: 2 }, clock);
    pool.add(message(1));
    await clock.advance(600);
    pool.add(message(2));
    await clock.advance(600);
    expect(pool.list(9).map(({ hash }) => hash)).toEqual([message(2).hash]);
    expect(pool.add(message(3))).toBe("added");
  });
});
