import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commands } from "../../../src/app/commands/list.ts";
import { runCommandLine } from "../../../src/app/terminal/commandLine.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";
import { until } from "../../kit/web/localActs.ts";

type Row = Readonly<Record<string, unknown>>;

const folder = mkdtempSync(join(tmpdir(), "tongate-running-"));
const serverFile = join(folder, "servers", "localnet.json");
let service: StartedService;

beforeAll(async () => {
  service = await startService({ folder });
  await until(async () => (await listTransactions()).length > 0);
});

afterAll(async () => {
  if (existsSync(serverFile)) await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Of a wallet, whose code runs for each of them. */
async function listTransactions(): Promise<readonly Row[]> {
  const answer = await fetch(`${service.origin}/api/v3/transactions?account=${service.wallet("v4r2").address}&limit=1`);
  return Object(await answer.json()).transactions ?? [];
}

/** The output of a command that knows only the data folder. */
async function run(...words: readonly string[]): Promise<string> {
  const terminal = recordTerminal();
  await runCommandLine(commands, terminal, [...words, "--data", folder]);
  return terminal.written();
}

/** The document of a command, also of a doctor that finds problems of this machine. */
async function document(words: readonly string[]): Promise<string> {
  const terminal = recordTerminal();
  await runCommandLine(commands, terminal, [...words, "--json", "--data", folder]).catch((error: unknown) => {
    if (!isCoded(error, "app/problems")) throw error;
  });
  return terminal.written();
}

async function signTransfer(from: string, to: string): Promise<string> {
  const body = JSON.stringify({ from, to, amount: "0.5" });
  const request = { method: "POST", headers: { "content-type": "application/json" }, body };
  const answer = await fetch(`${service.origin}/localnet/signTransfer`, request);
  return String(Object(Object(await answer.json()).result).boc);
}

describe("commands find the running server through the data folder", () => {
  it("prints all wallets with their words in 80 columns", async () => {
    const text = await run("wallets");
    for (const { address, words } of service.wallets) {
      expect(text).toContain(address);
      expect(text.replaceAll(/\s+/g, " ")).toContain(words.join(" "));
    }
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(text).toContain("Blueprint: WALLET_VERSION=v5r1 WALLET_NETWORK_ID=-777 SUBWALLET_NUMBER=0\n");
  });

  it("prints the demo contracts", async () => {
    const text = await run("demo");
    expect(text).toMatch(/^ {2}jetton master +EQ\S{46}$/m);
    expect(text).toMatch(/^ {2}vesting wallet +EQ\S{46}$/m);
  });

  it("shows an account", async () => {
    const { address } = service.wallet("v3r2");
    const text = await run("account", address);
    expect(text).toContain(`           ${address}  not bounceable\n`);
    expect(text).toMatch(/^ {2}state {4}active\n {2}balance {2}\d+\S* TON$/m);
    await expect(run("account", "nobody")).rejects.toMatchObject({ code: "app/usage" });
  });

  it("calls get-methods with numbers, addresses and cells", async () => {
    const demo: readonly Row[] = JSON.parse(await run("demo", "--json"));
    const addressOf = (name: string) => String(demo.find((each) => each.name === name)?.address);
    const wallet = await run("call", addressOf("jetton master"), "get_wallet_address", service.wallet("v5r1").address);
    const owned = addressOf("jetton wallet of wallet 1");
    expect(await run("account", wallet.replace("address ", "").trim())).toContain(owned);
    const item = await run("call", addressOf("NFT collection"), "get_nft_address_by_index", "0x1");
    expect(await run("account", item.replace("address ", "").trim())).toContain(addressOf("NFT item 1"));
    expect(await run("call", service.wallet("v4r2").address, "seqno")).toMatch(/^\d+ \(0x[0-9a-f]+\)\n$/);
    const unknown = run("call", service.wallet("v4r2").address, "nothing");
    await expect(unknown).rejects.toMatchObject({ code: "app/problems", message: /exit code 11 / });
    await expect(run("call", service.wallet("v4r2").address, "seqno", "zzz")).rejects.toMatchObject({
      code: "app/usage",
    });
  });

  it("sends a message from a text or a file, and waits for its trace", async () => {
    const [from, to] = [service.wallet("v3r2").address, service.wallet("v3r1").address];
    const trace = JSON.parse(await run("send", await signTransfer(from, to), "--json"));
    expect(Object.keys(trace.transactions)).toHaveLength(2);
    const file = join(folder, "message.boc");
    writeFileSync(file, Buffer.from(await signTransfer(from, to), "base64"));
    const text = await run("send", file);
    expect(text).toMatch(/^trace \S{44}, 2 transactions:\n {2}0:\S{64}\n {4}lt \d+, success\n/);
    await until(async () =>
      /^sent message \S{44}\n$/.test(await run("send", await signTransfer(from, to), "--no-wait")),
    );
    await expect(run("send", "no-such-file.boc")).rejects.toMatchObject({
      code: "app/usage",
      message: /^no-such-file\.boc is no file and no bag of cells: /,
    });
  });

  it("prefers an address of the command line", async () => {
    await expect(run("wallets", "--port", "1")).rejects.toMatchObject({ code: "api/unreachable", message: /:1\// });
  });
});

describe("--json", () => {
  it("prints one JSON document and nothing else, for every command that has it", async () => {
    const [transaction] = await listTransactions();
    const { address } = service.wallet("v4r2");
    const { workchain, shard, seqno } = Object(transaction?.block_ref);
    const lines: readonly (readonly string[])[] = [
      ["wallets"],
      ["demo"],
      ["account", address],
      ["call", address, "seqno"],
      ["faucet", address, "--amount", "0.5"],
      ["advance", "5"],
      ["block"],
      ["control", "mempool"],
      ["fork"],
      ["snapshot", "make", "one"],
      ["snapshot", "list"],
      ["snapshot", "export", "one", join(folder, "one.archive")],
      ["snapshot", "delete", "one"],
      ["index", "status"],
      ["index", "verify", "--sample", "1"],
      ["replay", String(transaction?.hash)],
      ["replay", String(transaction?.hash), "--steps", "--from", "2"],
      ["replay", "--block", `${workchain},${shard},${seqno}`],
      ["audit", service.origin, "--operations", "shards", "--rate", "1000"],
      ["keys", "add", "shop"],
      ["keys", "list"],
      ["abi", "list"],
      ["doctor"],
    ];
    const check = async (words: readonly string[]) => {
      const text = await document(words);
      expect([words, text.split("\n").length]).toEqual([words, 2]);
      expect([words, typeof JSON.parse(text)]).toEqual([words, "object"]);
    };
    for (const words of lines) await check(words);
    // A signature is valid for a minute.
    await check(["send", await signTransfer(service.wallet("v3r1").address, address), "--no-wait"]);
    const offered = commands.filter(({ options = {} }) => "json" in options).map(({ name }) => name);
    expect(new Set([...lines.map(([name]) => name), "send"])).toEqual(new Set(offered));
  });

  it("has the steps of a replay from the given one, the top of the stack first", async () => {
    const [transaction] = await listTransactions();
    const whole = JSON.parse(await run("replay", String(transaction?.hash), "--steps", "--json"));
    const later = JSON.parse(await run("replay", String(transaction?.hash), "--steps", "--from", "3", "--json"));
    expect(whole).toMatchObject({ equal: true, hash: whole.replayedHash });
    expect(whole.steps).toHaveLength(whole.compute.steps);
    expect(later).toEqual({ ...whole, steps: whole.steps.slice(2) });
    const text = await run("replay", String(transaction?.hash), "--steps");
    const [first, second] = text.split("\n");
    expect(first).toMatch(/^ {5}1 +\d+ {2}\S/);
    expect(second).toMatch(/^ {8}\S/);
    expect(text.split("\n").indexOf(`${transactionLine(whole)}: equal`)).toBe(2 * whole.steps.length);
    await expect(run("replay", String(transaction?.hash), "--from", "3")).rejects.toMatchObject({ code: "app/usage" });
  });

  const transactionLine = ({ account, lt, hash }: Row) => `${account} lt ${lt} ${hash}`;
});

describe("the file by which commands find the server", () => {
  it("has the address of the running server", () => {
    const { port } = new URL(service.origin);
    expect(JSON.parse(readFileSync(serverFile, "utf8"))).toEqual({
      pid: process.pid,
      host: "127.0.0.1",
      port: Number(port),
    });
  });

  it("says nothing when it is damaged or its process has ended", async () => {
    const other = mkdtempSync(join(tmpdir(), "tongate-running-"));
    try {
      // The configured address is used then.
      vi.stubEnv("TONGATE_PORT", "9");
      mkdirSync(join(other, "servers"));
      for (const content of ["{", "[]", JSON.stringify({ pid: 2 ** 30, host: "127.0.0.1", port: 1 })]) {
        writeFileSync(join(other, "servers", "localnet.json"), content);
        const answer = runCommandLine(commands, recordTerminal(), ["demo", "--data", other]);
        await expect(answer).rejects.toMatchObject({ code: "api/unreachable", message: /127\.0\.0\.1:9\/localnet/ });
      }
    } finally {
      vi.unstubAllEnvs();
      rmSync(other, { recursive: true, force: true });
    }
  });

  it("is removed when the server stops", async () => {
    await service.close();
    expect(existsSync(serverFile)).toBe(false);
  });
});
