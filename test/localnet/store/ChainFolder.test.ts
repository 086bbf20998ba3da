import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { restoreArchive } from "../../../src/localnet/store/restoreArchive.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { listBlocks } from "../../kit/localnet/ledgerTransactions.ts";
import { openChainKit, recordLog, type TestChain } from "../../kit/localnet/localChain.ts";

const kit = await openChainKit();
let folder: string;
afterAll(() => kit.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-chain-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const to = makeAddress(0, "a".repeat(64));
const blocksOf = (chain: TestChain) => listBlocks(chain.net.ledger).map(({ id, masterSeqno }) => ({ id, masterSeqno }));

async function makeChain(rounds: number): Promise<TestChain> {
  const chain = await kit.open({ folder });
  await chain.send(chain.wallet(0), { to, amount: 1_000n });
  await chain.rounds(rounds);
  return chain;
}

describe("a chain in a folder", () => {
  it("is the same when it is reopened, and continues", async () => {
    const first = await makeChain(5);
    const before = blocksOf(first);
    await first.net.close();
    const second = await kit.open({ folder });
    expect(blocksOf(second)).toEqual(before);
    expect(second.balance(to)).toBe(1_000n);
    await second.send(second.wallet(0), { to, amount: 500n });
    await second.rounds(2);
    // Minus one nanocoin of storage fees.
    expect(second.balance(to)).toBe(1_499n);
    // Old states are rebuilt from stored data.
    for (const { id } of blocksOf(second)) expect(second.net.ledger.state(id).hash()).toHaveLength(64);
    await second.net.close();
  });

  it("stores its states at the end in steps, between which others have their turn", async () => {
    const chain = await makeChain(5);
    await chain.net.close();
    const again = await kit.open({ folder });
    await again.rounds(1);
    const turns = vi.spyOn(globalThis, "setImmediate");
    onTestFinished(() => turns.mockRestore());
    await again.net.close();
    expect(turns.mock.calls.length).toBeGreaterThan(0);
  });

  it("needs no stored states, and no readable ones", async () => {
    const first = await makeChain(5);
    const before = blocksOf(first);
    await first.net.close();
    const states = join(folder, "states");
    const [name = ""] = readdirSync(states);
    truncateSync(join(states, name), 200);
    const second = await kit.open({ folder });
    expect(blocksOf(second)).toEqual(before);
    await second.rounds(1);
    await second.net.close();
    rmSync(states, { recursive: true });
    const third = await kit.open({ folder });
    expect(blocksOf(third).slice(0, before.length)).toEqual(before);
    expect(third.balance(to)).toBe(1_000n);
    await third.net.close();
  });

  it.each(["an incomplete record", "zeros"])("loses only what was never published behind it: %s", async (rest) => {
    const first = await makeChain(4);
    const before = blocksOf(first);
    await first.net.close();
    const log = join(folder, "blocks.log");
    const whole = readFileSync(log);
    appendFileSync(log, rest === "zeros" ? Buffer.alloc(5_000) : whole.subarray(0, 700));
    const second = await kit.open({ folder });
    expect(blocksOf(second)).toEqual(before);
    expect(second.log.lines).toContain("removed an incomplete record at the end of the chain");
    expect(readdirSync(folder).some((name) => name.startsWith("blocks.log.torn-"))).toBe(true);
    await second.rounds(2);
    const after = blocksOf(second);
    await second.net.close();
    const third = await kit.open({ folder });
    expect(blocksOf(third)).toEqual(after);
    await third.net.close();
  });

  it.each([
    ["in the content of a record", (at: number) => at + 400],
    ["in the length of a record", (at: number) => at],
    ["in the checksum of a record", (at: number) => at + 5],
  ])("is rejected with whole records after a flipped byte %s, until it is repaired", async (_where, placeOf) => {
    const first = await makeChain(4);
    const before = blocksOf(first);
    await first.net.close();
    rmSync(join(folder, "states"), { recursive: true });
    const log = join(folder, "blocks.log");
    const bytes = readFileSync(log);
    const second = 8 + bytes.readUInt32LE(0);
    const place = placeOf(second);
    bytes.writeUInt8((bytes[place] ?? 0) ^ 1, place);
    writeFileSync(log, bytes);
    for (let i = 0; i < 2; i++) {
      await expect(kit.open({ folder })).rejects.toMatchObject({
        code: "localnet/data",
        message: expect.stringMatching(
          new RegExp(`^${log} is damaged at byte ${second}, and whole blocks follow at byte \\d+; .*--repair`),
        ),
      });
    }
    expect(readFileSync(log)).toEqual(bytes);
    const repaired = await kit.open({ folder, repair: true });
    expect(blocksOf(repaired).slice(0, 2)).toEqual(before.slice(0, 2));
    expect(readFileSync(join(folder, `blocks.log.torn-${second}`))).toEqual(bytes.subarray(second));
    await repaired.net.close();
    const again = await kit.open({ folder });
    expect(blocksOf(again).slice(0, 2)).toEqual(before.slice(0, 2));
    await again.net.close();
  });

  it("admits one process, and replaces one that is gone", async () => {
    const first = await makeChain(1);
    await expect(kit.open({ folder })).rejects.toMatchObject({ code: "localnet/locked" });
    await first.net.close();
    expect(readdirSync(folder).filter((name) => name.startsWith("lock"))).toEqual([]);
    writeFileSync(join(folder, "lock"), "999999 123\n");
    const second = await kit.open({ folder });
    await second.net.close();
  });

  it("belongs to one seed", async () => {
    const first = await makeChain(1);
    await first.net.close();
    await expect(kit.open({ folder, seed: "other" })).rejects.toMatchObject({ code: "localnet/data" });
    rmSync(join(folder, "chain.json"));
    await expect(kit.open({ folder })).rejects.toMatchObject({ code: "localnet/data" });
  });

  it("stays ahead of the clock when it is reopened", async () => {
    const first = await makeChain(1);
    first.net.advanceTime(10_000);
    await first.rounds(1);
    const time = first.net.clock.seconds;
    await first.net.close();
    const second = await kit.open({ folder });
    expect(second.net.clock.seconds).toBe(time);
    await second.net.close();
  });
});

describe("an archive", () => {
  it("has a whole chain, which continues elsewhere", async () => {
    const first = await makeChain(3);
    const path = join(folder, "archive");
    await first.net.archive(path);
    const before = blocksOf(first);
    await first.rounds(1);
    await first.net.close();
    const other = join(folder, "other");
    await restoreArchive(path, other, recordLog());
    const second = await kit.open({ folder: other });
    expect(blocksOf(second)).toEqual(before);
    await second.rounds(1);
    await second.net.close();
    await expect(restoreArchive(path, other, recordLog())).rejects.toThrowError("already has a chain");
    const header = join(folder, "chain.json");
    await expect(restoreArchive(header, join(folder, "new"), recordLog())).rejects.toThrowError("is not an archive");
  });

  it("is not available for a chain in memory", async () => {
    const { net } = await kit.open();
    await expect(net.archive(join(folder, "archive"))).rejects.toThrowError("in memory only");
  });
});

describe("the same seed and clock", () => {
  it("make the same blocks, stored or not, reopened or not", async () => {
    const run = async (chain: TestChain, rounds: number): Promise<void> => {
      for (let i = 0; i < rounds; i++) {
        await chain.send(chain.wallet(i % 6), { to, amount: BigInt(i + 1) });
        await chain.rounds(1);
      }
    };
    const inMemory = await kit.open();
    await run(inMemory, 6);
    const testChain = await kit.open({ folder });
    await run(testChain, 6);
    expect(blocksOf(testChain)).toEqual(blocksOf(inMemory));
    await testChain.net.close();
  });
});
