import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartedService, startService } from "../../kit/app/startedService.ts";

const folder = mkdtempSync(join(tmpdir(), "tongate-fork-file-"));
const receiver = `0:${"5a".repeat(32)}`;

let origin: StartedService;
beforeAll(async () => {
  const flags = ["--demo", "off", "--no-index", "--lite-port", "0", "--block-ms", "200"];
  origin = await startService({ flags, folder });
});
afterAll(async () => {
  await origin.close();
  rmSync(folder, { recursive: true });
});

async function ask({ origin: at }: StartedService, path: string, body?: object) {
  const headers = { "content-type": "application/json" };
  const posted = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  return Object(await (await fetch(`${at}${path}`, posted)).json());
}

describe("--fork with the file of a global configuration", () => {
  it("continues the network whose lite servers the file names, and keeps its accounts", async () => {
    expect((await ask(origin, "/localnet/setBalance", { address: receiver, balance: "5" })).ok).toBe(true);
    const file = join(folder, "localnet", "global.config.json");
    const fork = await startService({ flags: ["--fork", file, "--no-index", "--lite-port", "off"] });
    const [{ origin: name, block }] = (await ask(fork, "/localnet/fork")).result;
    expect(name).toBe("global.config");
    const old = `workchain=-1&shard=-9223372036854775808&seqno=${block.seqno}`;
    const found = (await ask(origin, `/api/v2/lookupBlock?${old}`)).result;
    expect([block.root_hash, block.file_hash]).toEqual([found.root_hash, found.file_hash]);
    const balances = [origin, fork].map(async (at) => ask(at, `/api/v2/getAddressBalance?address=${receiver}`));
    expect((await Promise.all(balances)).map(({ result }) => result)).toEqual(["5000000000", "5000000000"]);
    await fork.close();
  });
});
