import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServedProcess, serveProcess } from "../kit/api/servedProcess.ts";
import { type CompiledApp, compileApp } from "../kit/suite/compiledApp.ts";

const root = join(import.meta.dirname, "../..");
const examples = join(root, "examples");
const folder = mkdtempSync(join(tmpdir(), "tongate-examples-"));
const depositAddress = `0:${"5a".repeat(32)}`;

let app: CompiledApp;
let service: ServedProcess;

beforeAll(async () => {
  app = await compileApp();
  service = await serveProcess(app, ["--data", join(folder, "data"), "--block-ms", "400"]);
  // The demo set makes the jetton that one of the examples shows.
  const masters = `${service.origin}/api/v3/jetton/wallets?limit=1`;
  while (!/"balance"/.test(await (await fetch(masters)).text())) await setTimeout(200);
});

afterAll(async () => {
  await service.stop();
  app.remove();
  rmSync(folder, { recursive: true });
});

function start(args: readonly string[]): ChildProcess & { output: () => string } {
  const env = { PATH: process.env.PATH, TONGATE_URL: service.origin };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (more) => (text += more));
  return Object.assign(child, { output: () => text });
}

async function run(...args: string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = start(args);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: child.output() };
}

async function give(address: string, nanocoins: number): Promise<void> {
  const response = await fetch(`${service.origin}/localnet/faucet`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ address, amount: String(nanocoins) }),
  });
  expect(response.status).toBe(200);
}

it("runs every example that there is", () => {
  const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const tested = readFileSync(import.meta.filename, "utf8");
  expect(folders.map(({ name }) => name).filter((name) => !tested.includes(`"${name}/`))).toEqual([]);
});

it("payment-processor books every deposit once, however often it is killed", async () => {
  const processor = [join(examples, "payment-processor/main.mjs"), depositAddress, folder];
  const amounts = [1, 2, 3, 4, 5, 6].map((each) => each * 1_000_000_000);
  const read = () => {
    const lines = readFileSync(join(folder, "deposits.jsonl"), { encoding: "utf8", flag: "a+" }).split("\n");
    return lines.filter(Boolean).map((line) => Number(Object(JSON.parse(line)).nanocoins));
  };
  for (const [at, amount] of amounts.entries()) {
    const child = start(processor);
    await give(depositAddress, amount);
    await setTimeout(150 * at);
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  const last = start(processor);
  await expect.poll(read).toEqual(amounts);
  last.kill("SIGTERM");
  await once(last, "exit");
  expect(read()).toEqual(amounts);
});

it("wallet-history shows the transfers of a wallet, and nothing of them as HTML", async () => {
  const { loadHistory, renderHistory } = await import(join(examples, "wallet-history/history.mjs"));
  const history = await loadHistory(service.origin, depositAddress);
  const html: string = renderHistory(history, depositAddress);
  expect(html.match(/sent [1-6] TON to/g)?.length).toBe(6);
  const forged = {
    ...history,
    actions: [{ ...history.actions[0], details: { ...history.actions[0].details, comment: "<b>" } }],
  };
  expect(renderHistory(forged, depositAddress)).toContain(": &#60;b&#62;");
});

it("jetton-dashboard shows the jetton of the demo set", async () => {
  const { code, output } = await run(join(examples, "jetton-dashboard/main.mjs"));
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^.+ \(\w+\), \d+ decimals\nsupply [\d.]+, \w+\n\nlargest holders\n {2}\S+ {2}[\d.]+\n/),
  ]);
  expect(output).toMatch(/newest transfers\n {2}\d{4}-/);
});

it("dapp-tests pass against the local network", async () => {
  const { code, output } = await run("--test", join(examples, "dapp-tests/wallet.test.mjs"));
  expect([code, output]).toEqual([0, expect.stringMatching(/^# pass 1$|pass 1/m)]);
});
