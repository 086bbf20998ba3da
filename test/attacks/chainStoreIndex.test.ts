import { mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { IndexReset } from "../../src/app/local/LocalSnapshots.ts";
import { startService } from "../kit/app/startedService.ts";

const data = mkdtempSync(join(tmpdir(), "tongate-chain-index-"));
const folder = join(data, "localnet");
const flags = ["--block-ms", "200", "--demo", "off", "--lite-port", "off"];
afterAll(() => {
  rmSync(data, { recursive: true, force: true });
});

/** The newest block of the index. */
async function indexed(origin: string): Promise<number> {
  const answer = Object(await (await fetch(`${origin}/api/v3/masterchainInfo`)).json());
  return Number(answer.last?.seqno ?? 0);
}

describe("an index that knows blocks which the chain has lost", () => {
  it("ends the start before a block is made, names the commands, and is rebuilt after a repair", async () => {
    const first = await startService({ folder: data, flags });
    await expect.poll(() => indexed(first.origin), { timeout: 120_000 }).toBeGreaterThan(8);
    await first.close();
    for (const name of ["states", "head"]) rmSync(join(folder, name), { recursive: true });
    const log = readFileSync(join(folder, "blocks.log"));
    let end = 0;
    for (let round = 0; round < 4; round++) end += 8 + log.readUInt32LE(end);
    truncateSync(join(folder, "blocks.log"), end);
    await expect(startService({ folder: data, flags })).rejects.toMatchObject({
      code: "app/data",
      message: expect.stringMatching(/the chain lost published blocks; .*snapshot.*tongate db rebuild/),
    });
    expect(readFileSync(join(folder, "blocks.log"))).toEqual(log.subarray(0, end));

    // What `localnet --repair` does when it gives blocks up.
    new IndexReset(folder).order();
    const second = await startService({ folder: data, flags });
    await expect.poll(() => indexed(second.origin), { timeout: 120_000 }).toBeGreaterThan(4);
    expect(new IndexReset(folder).isOrdered()).toBe(false);
    await second.close();
  });
});
