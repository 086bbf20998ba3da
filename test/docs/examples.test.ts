import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type ServedProcess, serveProcess } from "../../kit/api/servedProcess.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { openBrowser } from "../../kit/suite/openBrowser.ts";
import { listBlocks } from "../kit/deploy/documentBlocks.ts";
import { repeats } from "../kit/suite/everything.ts";
import { Visitor } from "../kit/web/Visitor.ts";
import "../kit/suite/longRun.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "tongate-examples-"));
/** A copy next to the packages that the examples use. */
const examples = join(folder, "examples");
const modules = join(folder, "node_modules");
const project = join(examples, "blueprint-project/");
/** What is sent to an example; it is killed after each of them, a little later each time. */
const coins = [1, 2, 3, 4, 5, 6].slice(0, repeats({ usual: 2, all: 4 }));
const depositAddress = `0:${"5a".repeat(32)}`;

let app: CompiledApp;
let service: ServedProcess;

/** Equivalent of the `npm install` of the examples; tongate and its client are the compiled program. */
function installPackages({ client: built, folder: program }: CompiledApp): void {
  cpSync(join(root, "examples"), examples, { recursive: true });
  // Names of packages are resolved from here, whatever is in the folders above.
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const client = join(modules, "tongate-client");
  mkdirSync(client, { recursive: true });
  symlinkSync(join(root, "node_modules/@ton"), join(modules, "@ton"));
  symlinkSync(program, join(modules, "tongate"));
  symlinkSync(join(root, "node_modules/vitest"), join(modules, "vitest"));
  // Those that Blueprint brings along; the compiler of this repository is too new for it.
  for (const name of ["ts-node", "typescript"])
    symlinkSync(join(root, "node_modules/@ton/blueprint/node_modules", name), join(modules, name));
  writeFileSync(
    join(client, "package.json"),
    '{ "name": "tongate-client", "type": "module", "exports": "./index.js" }',
  );
  writeFileSync(join(client, "index.js"), `export * from ${JSON.stringify(pathToFileURL(built).href)};\n`);
}

beforeAll(async () => {
  app = await compileApp();
  installPackages(app);
  service = await serveProcess(app, ["--data", join(folder, "data"), "--block-ms", "400", "--deadline-ms", "300000"]);
  // The demo set creates the jetton that one of the examples shows.
  const masters = `${service.origin}/api/v3/jetton/wallets?limit=1`;
  while (!/"balance"/.test(await (await fetch(masters)).text())) await setTimeout(200);
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

function start(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  cwd = folder,
): ChildProcess & { output: () => string } {
  const env = {
    PATH: process.env.PATH,
    TONGATE_URL: service.origin,
    TON_ENDPOINT: `${service.origin}/api/v2/jsonRPC`,
    ...more,
  };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (more) => (text += more));
  return Object.assign(child, { output: () => text });
}

async function run(...args: string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = start(args);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: child.output() };
}

async function give(address: string, coins: number): Promise<void> {
  const response = await fetch(`${service.origin}/localnet/faucet`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ address, amount: coins }),
  });
  expect(response.status).toBe(200);
}

it("runs every example", () => {
  const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const tested = readFileSync(import.meta.filename, "utf8");
  expect(folders.map(({ name }) => name).filter((name) => !tested.includes(`"${name}/`))).toEqual([]);
});

it("payment-processor records every deposit once, however often it is killed", async () => {
  const processor = [join(examples, "payment-processor/main.mjs"), depositAddress, folder];
  const amounts = coins.map((each) => each * 1_000_000_000);
  const read = () => {
    const lines = readFileSync(join(folder, "deposits.jsonl"), { encoding: "utf8", flag: "a+" }).split("\n");
    return lines.filter(Boolean).map((line) => Number(Object(JSON.parse(line)).nanocoins));
  };
  for (const [at, amount] of amounts.entries()) {
    const child = start(processor);
    await give(depositAddress, amount / 1_000_000_000);
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

it("payment-processor goes on when a lost server is back, and says what happens", async () => {
  const address = `0:${"7c".repeat(32)}`;
  const own = mkdtempSync(join(folder, "lost-"));
  const gateway = createServer(async ({ url }, response) => {
    const answer = await fetch(`${service.origin}${url}`);
    response.writeHead(answer.status).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const { port } = gateway.address() as AddressInfo;
  const lose = () => once(gateway.close(), "close");
  await lose();

  const args = [join(examples, "payment-processor/main.mjs"), address, own];
  const child = start(args, { TONGATE_URL: `http://127.0.0.1:${port}` });
  const ended = once(child, "exit");
  await expect.poll(child.output).toContain("cannot be reached (ECONNREFUSED); trying again");
  gateway.listen(port, "127.0.0.1");
  await expect.poll(child.output).toContain("the server answers again");
  await give(address, 1.5);
  await expect.poll(child.output).toContain("deposit of 1.500000000 from ");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  gateway.closeAllConnections();
  await lose();

  const lines = child.output().trimEnd().split("\n");
  expect(lines.map((line) => line.replace(/ from 0:.*| at .*|, after.*|lt \d+$|^http:\S+ /, ""))).toEqual([
    `watching ${address}`,
    "cannot be reached (ECONNREFUSED); trying again",
    "the server answers again",
    "deposit of 1.500000000",
    "stopped after ",
  ]);
});

it("stream-bot reports every transfer once, however often it is killed and whatever fails", async () => {
  const notices = new Map<string, string>();
  let requests = 0;
  const webhook = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (more) => (body += more));
    request.on("end", () => {
      // The first of every three requests fails: the bot exits, and its next start delivers the notice again.
      if (requests++ % 3 === 0) {
        response.writeHead(500).end();
        return;
      }
      notices.set(String(request.headers["idempotency-key"]), Object(JSON.parse(body)).text);
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(webhook, "listening");
  onTestFinished(() => void webhook.close().closeAllConnections());
  const address = `0:${"6b".repeat(32)}`;
  const bot = () =>
    start([join(examples, "stream-bot/main.mjs"), address, folder], {
      WEBHOOK_URL: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`,
    });
  const read = () => [...notices.values()].map((text) => Number(/sent (\d+) TON/.exec(text)?.[1]));
  const first = bot();
  const isBegun = () => readdirSync(folder).includes("bot-state.json");
  await expect.poll(isBegun).toBe(true);
  first.kill("SIGKILL");
  await once(first, "exit");
  for (const [at, amount] of coins.entries()) {
    const child = bot();
    const ended = once(child, "exit");
    await give(address, amount);
    await setTimeout(300 * at);
    child.kill("SIGKILL");
    await ended;
  }
  let last = bot();
  const isTold = async () => {
    if (last.exitCode !== null) last = bot();
    return read();
  };
  await expect.poll(isTold).toEqual(coins);
  // It may have just started and not handle signals yet, so either exit code is possible.
  const ended = once(last, "exit");
  last.kill("SIGTERM");
  await ended;
  expect(read()).toEqual(coins);
});

it("the README of the examples names each of them and how to run it", () => {
  const readme = readFileSync(join(root, "examples/README.md"), "utf8");
  const folders = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !readme.includes(`\`${name}/\``))).toEqual([]);
  const commands = [...readme.matchAll(/`node (?:--test )?(examples\/[^` ]+)/g)].map(([, path = ""]) => path);
  expect(commands.length).toBe(6);
  expect(commands.filter((path) => !readdirSync(join(root, path, path.endsWith("/") ? "." : "..")).length)).toEqual([]);
  expect(listBlocks(readme).map(({ text }) => text)).toEqual([
    "npm install tongate tongate-client @ton/ton @ton/crypto vitest @ton/blueprint @ton/sandbox @ton/tolk-js",
  ]);
});

it("wallet-history shows the transfers of a wallet, escaped for HTML", async () => {
  const { loadHistory, renderHistory } = await import(join(examples, "wallet-history/history.mjs"));
  const history = await loadHistory(service.origin, depositAddress);
  const html: string = renderHistory(history, depositAddress);
  expect(html.match(/sent [1-6] TON to/g)?.length).toBe(coins.length);
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

it("proved-wallet shows what is proved, and nothing of what a lying server says", async () => {
  const child = start([join(examples, "proved-wallet/server.mjs")], { PORT: "0" });
  onTestFinished(() => void child.kill());
  await expect.poll(child.output).toMatch(/^http:\S+\n$/);
  const url = child.output().trim();
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const visitor = await Visitor.open(browser, new URL(url).origin);
  const { page } = visitor;
  const read = async (count: number, kind: string) => {
    await expect.poll(() => page.locator(`dd.${kind}`).count()).toBe(count);
    return page.locator("dd").allInnerTexts();
  };
  await page.goto(url);
  const proof = / \(block \d+, signed by \d+ validators, \d+ bytes, \d+ ms\)$/;
  const proved = (await read(3, "proved")).map((text) => text.replace(proof, "").replaceAll(/[\w+/]{43}=|\d+/g, "N"));
  expect(proved).toEqual(["N nanocoins", "N units", "N, fee N nanocoins"]);
  await page.getByLabel("The server lies").check();
  expect(await read(3, "refused")).toEqual(
    ["getAddressBalance", "getTokenData", "getTransactions"].map(
      (name) => `verify/changed: ${name}: the server sent a result that its own proof contradicts`,
    ),
  );
  await page.getByLabel("The server lies").uncheck();
  await read(3, "proved");
  expect(await visitor.excessWidth()).toBe(0);
  expect(await visitor.findBarriers()).toEqual([]);
  expect(visitor.complaints.filter((each) => !each.includes("favicon"))).toEqual([]);
});

it("dapp-tests pass against the local network", async () => {
  const { code, output } = await run("--test", join(examples, "dapp-tests/wallet.test.mjs"));
  expect([code, output]).toEqual([0, expect.stringMatching(/^# pass 1$|pass 1/m)]);
});

it("local-tests pass with networks of their own", async () => {
  const { code, output } = await run("--test", join(examples, "local-tests/network.test.mjs"));
  expect([code, output]).toEqual([0, expect.stringMatching(/pass 4$/m)]);
});

it("vitest-fork passes on a fork of its own", async () => {
  const own = ["run", "--root", join(examples, "vitest-fork/"), "--reporter", "json"];
  const { code, output } = await run(join(modules, "vitest/vitest.mjs"), ...own);
  expect([code, output]).toEqual([0, expect.stringContaining('"numPassedTests":2')]);
});

it("blueprint-project passes in the sandbox, and unchanged on a fork", async () => {
  const fork = await serveProcess(app, [
    ...["--fork", service.origin, "--data", join(folder, "fork"), "--no-index", "--lite-port", "off"],
    ...["--deadline-ms", "300000"],
  ]);
  onTestFinished(async () => void (await fork.stop()));
  const { result } = Object(await (await fetch(`${fork.origin}/localnet/wallets`)).json());
  const onFork = { FORK: `${fork.origin}/api/v4`, HOLDER: result[0].address };
  for (const more of [{}, onFork]) {
    const child = start([join(modules, "@ton/blueprint/dist/cli/cli.js"), "test"], { HOME: folder, ...more }, project);
    const [code] = (await once(child, "close")) as [number | null];
    expect([code, child.output()]).toEqual([0, expect.stringMatching(/pass 2$/m)]);
  }
});
