import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restoreArchive } from "../../../src/localnet/store/restoreArchive.ts";
import { snapshotChain } from "../../../src/localnet/store/snapshotChain.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { type ChainKit, openChainKit, recordLog } from "../../kit/localnet/localChain.ts";
import { testSeed } from "../../kit/localnet/testKeys.ts";

let kit: ChainKit;
let place: string;
beforeAll(async () => {
  kit = await openChainKit();
  place = mkdtempSync(join(tmpdir(), "tongate-snapshot-"));
});
afterAll(async () => {
  await kit.close();
  rmSync(place, { recursive: true });
});

const to = makeAddress(0, "a".repeat(64));

describe("a snapshot", () => {
  it("is refused for a folder without a chain, and for one in use", async () => {
    const path = join(place, "never");
    await expect(snapshotChain(join(place, "nothing"), path)).rejects.toMatchObject({ code: "localnet/data" });
    const folder = join(place, "busy");
    await kit.open({ folder });
    await expect(snapshotChain(folder, path)).rejects.toMatchObject({ code: "localnet/locked" });
    expect(existsSync(path)).toBe(false);
  });

  it("becomes the same chain again, which continues", async () => {
    const folder = join(place, "first");
    const first = await kit.open({ folder, shards: 2 });
    await first.send(first.wallet(0), { to, amount: 1_000n });
    await first.rounds(5);
    const { headId } = first.net.ledger;
    await first.net.close();
    const path = join(place, "chain.archive");
    expect(await snapshotChain(folder, path)).toBe(headId.seqno);
    const copy = join(place, "copy");
    expect((await restoreArchive(path, copy, recordLog())).seed).toBe(testSeed);
    const second = await kit.open({ folder: copy });
    expect(second.net.ledger.headId).toEqual(headId);
    expect(second.balance(to)).toBe(1_000n);
    await second.rounds(1);
    expect(second.net.ledger.headId.seqno).toBe(headId.seqno + 1);
    await second.net.close();
    await expect(restoreArchive(path, copy, recordLog())).rejects.toThrowError("already has a chain");
  });
});
