import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Address, internal, toNano } from "@ton/ton";
import { LiteClient, LiteSingleEngine } from "ton-lite-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Command } from "../../src/app/Command.ts";
import { advance } from "../../src/app/commands/advance.ts";
import { block } from "../../src/app/commands/block.ts";
import { snapshot } from "../../src/app/commands/snapshot.ts";
import { restoreArchive } from "../../src/localnet/store/restoreArchive.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { recordLog } from "../kit/localnet/localChain.ts";
import { recordTerminal } from "../kit/suite/recordTerminal.ts";
import { LocalActs } from "../kit/web/localActs.ts";

const folder = mkdtempSync(join(tmpdir(), "tongate-controls-"));
/** In practice blocks are made only on request. */
const flags = ["--no-index", "--block-ms", "3600000"];

let service: StartedService;
let acts: LocalActs;
beforeAll(async () => {
  service = await startService({ folder, flags });
  acts = await LocalActs.open(service);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function seqno(): Promise<number> {
  const { result } = Object(await acts.ask("/api/v2/getMasterchainInfo"));
  return result.last.seqno;
}

async function post(path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${service.origin}${path}`, { method: "POST", body: JSON.stringify(body) });
  return Object(await response.json());
}

async function run(command: Command, ...words: string[]): Promise<string> {
  const terminal = recordTerminal();
  await command.run(terminal, [...words, "--port", new URL(service.origin).port]);
  return terminal.written();
}

/** The lite server in the file that `serve` writes. */
async function openLiteClient(): Promise<{ readonly client: LiteClient; readonly close: () => void }> {
  const config = JSON.parse(readFileSync(join(folder, "localnet", "global.config.json"), "utf8"));
  const [server] = config.liteservers;
  const host = [24, 16, 8, 0].map((bits) => (server.ip >> bits) & 255).join(".");
  const publicKey = Buffer.from(server.id.key, "base64");
  const engine = new LiteSingleEngine({ host: `tcp://${host}:${server.port}`, publicKey });
  // The client rejects queries before it is connected.
  await expect.poll(() => engine.isReady(), { timeout: 300_000 }).toBe(true);
  return { client: new LiteClient({ engine }), close: () => engine.close() };
}

describe("a served local network", () => {
  it("makes a block on request, over HTTP and by command", async () => {
    const before = await seqno();
    expect(await post("/localnet/block", {})).toMatchObject({
      ok: true,
      result: { "@type": "localnet.block", mc_seqno: before + 1, gen_utime: expect.any(Number) },
    });
    expect(await seqno()).toBe(before + 1);
    expect(await run(block)).toBe(`made masterchain block ${before + 2}\n`);
  });

  it("is a lite server for common clients", async () => {
    const { client, close } = await openLiteClient();
    const { last } = await client.getMasterchainInfo();
    expect(last.seqno).toBe(await seqno());
    const state = await client.getAccountState(acts.address, last);
    const { result } = Object(await acts.ask(`/api/v2/getAddressBalance?address=${acts.address.toRawString()}`));
    expect(String(state.balance.coins)).toBe(result);
    close();
  });

  it("remembers that the demo set is disabled", async () => {
    const other = mkdtempSync(join(tmpdir(), "tongate-no-demo-"));
    for (const [given, count] of [
      [["--demo", "off"], 0],
      [[], 0],
      [["--demo", "on"], 24],
      [[], 24],
    ] as const) {
      const started = await startService({ folder: other, flags: [...flags, ...given] });
      const { result } = Object(await (await fetch(`${started.origin}/localnet/demo`)).json());
      expect(result).toHaveLength(count);
      await started.close();
    }
    rmSync(other, { recursive: true, force: true });
  });

  // The last test: from here on the chain is ahead of the clock by which client messages expire.
  it("reports how far it is ahead, also to senders of messages that are too old for it", async () => {
    expect(await acts.ask("/localnet/time")).toMatchObject({ ok: true, result: { ahead: 0 } });
    expect(await run(advance, "1d")).toMatch(/^chain time: \S+, 24 h ahead of this machine's clock\n$/);
    expect(await acts.ask("/localnet/time")).toMatchObject({ ok: true, result: { ahead: 86_400 } });
    const transfer = acts.send([internal({ to: Address.parse(`0:${"ab".repeat(32)}`), value: toNano("1") })]);
    const error = await transfer.catch((cause: unknown) => Object(cause).response?.data?.error ?? String(cause));
    expect(error).toContain("expired: this network's clock is 86,400 s ahead of yours");
    expect(error).toContain("exitcode=");
  });
});

describe("snapshots of a running network", () => {
  let started: StartedService;
  const place = mkdtempSync(join(tmpdir(), "tongate-snapshots-"));
  const ask = async (path: string) => Object(await (await fetch(`${started.origin}${path}`)).json());
  const command = async (...words: string[]) => {
    const terminal = recordTerminal();
    await snapshot.run(terminal, [...words, "--port", new URL(started.origin).port]);
    return terminal.written();
  };
  /** In whole coins, because storage fees are a few nanocoins. */
  const balance = async () =>
    Math.round(Number((await ask(`/api/v2/getAddressBalance?address=0:${"cd".repeat(32)}`)).result) / 1_000_000_000);
  /** The indexed state of the account, once the index has this chain. */
  const indexed = async () => {
    const { last } = await ask("/api/v3/masterchainInfo");
    const { accounts } = await ask(`/api/v3/accountStates?address=0:${"cd".repeat(32)}`);
    return last === undefined ? -1 : Math.round(Number(accounts?.[0]?.balance ?? 0) / 1_000_000_000);
  };
  const give = (amount: string) =>
    fetch(`${started.origin}/localnet/faucet`, {
      method: "POST",
      body: JSON.stringify({ address: `0:${"cd".repeat(32)}`, amount }),
    });

  beforeAll(async () => {
    started = await startService({ folder: place, flags: ["--block-ms", "500", "--demo", "off"] });
  });
  afterAll(async () => {
    await started.close();
    rmSync(place, { recursive: true, force: true });
  });

  it("are made, listed, restored with their index, exported and deleted while it answers", async () => {
    await give("5");
    await expect.poll(balance, { timeout: 300_000 }).toBe(5);
    expect(await command("make", "five")).toMatch(/^made snapshot five at masterchain block \d+\n$/);
    await expect(command("make", "five")).rejects.toMatchObject({ message: expect.stringContaining("already") });
    await give("2");
    await expect.poll(balance, { timeout: 300_000 }).toBe(7);
    await expect.poll(indexed, { timeout: 300_000 }).toBe(7);
    const { result } = await ask("/localnet/snapshots");
    expect(result).toMatchObject([{ name: "five", mc_seqno: expect.any(Number), bytes: expect.any(Number) }]);

    expect(await command("restore", "five")).toBe(
      `restored snapshot five: the chain continues from masterchain block ${result[0].mc_seqno}\n`,
    );
    expect(await balance()).toBe(5);
    await expect.poll(indexed, { timeout: 300_000 }).toBe(5);

    const file = join(place, "five.archive");
    expect(await command("export", "five", file)).toMatch(/^wrote snapshot five, \d+ bytes, to /);
    const other = join(place, "copy");
    expect((await restoreArchive(file, other, recordLog())).seed).toBe("tongate");
    expect(await command("delete", "five")).toBe("deleted snapshot five\n");
    expect(await command("list")).toBe("no snapshots\n");
    await expect(command("restore", "five")).rejects.toMatchObject({ message: expect.stringContaining("no snapshot") });
  });
});
