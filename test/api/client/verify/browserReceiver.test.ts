import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { compileApp } from "../../../../kit/suite/compiledApp.ts";
import { readJsonLinesGz } from "../../../../kit/suite/corpus.ts";
import { openBrowser } from "../../../../kit/suite/openBrowser.ts";
import { createV3Client } from "../../../../src/api/client/v3Client.ts";
import { v2Endpoints } from "../../../../src/api/v2/list.ts";
import { Builder } from "../../../../src/cell/Builder.ts";
import { writeBoc } from "../../../../src/cell/boc.ts";
import { formatRawAddress } from "../../../../src/model/Address.ts";
import type { TestServer } from "../../../kit/api/apiServer.ts";
import { callsOf, trustOf } from "../../../kit/api/provedRecords.ts";
import type { V2Record } from "../../../kit/api/v2Golden.ts";
import { openProvedStage, type ProvedStage } from "../../../kit/api/v3/provedStage.ts";
import { openFixtureLedger } from "../../../kit/localnet/fixtureLedger.ts";
import { fixtureFolder } from "../../../kit/model/fixtureChain.ts";
import { repeats } from "../../../kit/suite/everything.ts";
import { openFixtureServer } from "../../../kit/tvm/fixtureServer.ts";
import { Visitor } from "../../../kit/web/Visitor.ts";

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  server = await openFixtureServer();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server.close();
  await (await opened)?.close();
});

let opened: Promise<ProvedStage> | undefined;

/** An index of a network with a transfer, which all tests share. */
function openStage(): Promise<ProvedStage> {
  opened ??= openProvedStage(async (chain) => {
    await chain.rounds(2);
    await chain.send(chain.wallet(0), { to: chain.wallet(1).address, amount: 1_000_000_000n });
    await chain.rounds(3);
  });
  return opened;
}

/** Serves the client for browsers as it was built. */
async function serveClient(): Promise<string> {
  const folder = join(dirname((await compileApp()).cli), "../browser");
  const host = createServer(({ url = "" }, response) => {
    const path = join(folder, url);
    if (url.endsWith(".js") && existsSync(path))
      response.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(path));
    else response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>x</title>");
  });
  onTestFinished(() => void host.close().closeAllConnections());
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}

/** Runs in the page: the answers of the plain client and of the one that checks proofs, as text. */
const askBoth = (input: object) => `(async ({ base, trust, calls }) => {
  const { createClient } = await import("/api/client/client.js");
  const clients = [createClient(base), createClient(base, { verify: { trust, maxAge: Infinity } })];
  const asText = (_key, value) => (typeof value === "bigint" ? "bigint " + value : value);
  const outcome = (client, { name, args }) =>
    client[name](args).then((result) => JSON.stringify(result, asText), (error) => error.code + ": " + error.message);
  const outcomes = [];
  for (const call of calls) outcomes.push(await Promise.all(clients.map((client) => outcome(client, call))));
  return outcomes;
})(${JSON.stringify(input)})`;

/** A few of them are refused. */
const count = repeats({ usual: 60, all: 1_000 });

it("proves recorded answers in Chromium, equal to those without a proof", async () => {
  const records = readJsonLinesGz(fixtureFolder, "v2/cpp.jsonl.gz") as unknown as V2Record[];
  const isProvable = (name: string) => v2Endpoints.some((each) => each.name === name && each.proof.by !== "nothing");
  const answered = records.filter(({ status }) => status === 200);
  const calls = callsOf(answered)
    .filter(({ name }) => isProvable(name))
    .slice(0, count);
  const { zero, headId } = openFixtureLedger();
  const trust = trustOf({ zeroState: zero.id, initBlock: headId });
  const origin = await serveClient();
  const { page } = await Visitor.open(browser, origin);
  await page.goto(origin);
  const outcomes = (await page.evaluate(askBoth({ base: `${server.origin}/api/v2`, trust, calls }))) as string[][];
  // What the server refuses to both, such as a failing get-method, has no proof.
  const isRefused = (outcome: string) => outcome.startsWith("api/");
  const answers = outcomes.flatMap(([plain = "", proved = ""], i) =>
    isRefused(plain) && isRefused(proved) ? [] : [{ call: calls[i], plain, proved }],
  );
  expect(answers.filter(({ plain, proved }) => plain !== proved || proved.startsWith("verify/"))).toEqual([]);
  expect(answers.length).toBeGreaterThanOrEqual(50);
});

/** The source of a worker that proves two answers, one of which needs the machine. */
const workerSource = (input: object) => `
  const { base, trust, address, from } = ${JSON.stringify(input)};
  const { createV3Client } = await import(from);
  const client = createV3Client(base, { verify: { trust, maxAge: Infinity } });
  const { accounts } = await client.accountStates({ address: [address] });
  const seqno = await client.runGetMethod({ address, method: "seqno", stack: [] });
  const refused = await client.topAccountsByBalance({}).catch(({ code }) => code);
  postMessage(JSON.stringify([typeof window, accounts[0].balance, seqno, refused]));`;

/** Runs in the page: what a worker of this source sends. */
const runWorker = (source: string) => `new Promise((resolve, reject) => {
  const url = URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
})`;

it("proves answers in a worker of a page", async () => {
  const stage = await openStage();
  const address = formatRawAddress(stage.chain.wallet(0).address);
  const host = await serveClient();
  const { page } = await Visitor.open(browser, host);
  await page.goto(host);
  const { base, start } = stage;
  const input = { base, trust: trustOf(start), address, from: `${host}/api/client/v3Client.js` };
  const sent = await page.evaluate(runWorker(workerSource(input)));
  const plain = createV3Client(base);
  const { accounts } = await plain.accountStates({ address: [address] });
  const seqno = await plain.runGetMethod({ address, method: "seqno", stack: [] });
  expect(JSON.parse(String(sent))).toEqual(["undefined", accounts[0]?.balance, seqno, "verify/not-covered"]);
});

/** Runs in the page: what a client of v3 proves, as text, and what it says of an operation without proof. */
const askV3 = (input: object) => `(async ({ base, trust, calls }) => {
  const { createV3Client } = await import("/api/client/v3Client.js");
  const client = createV3Client(base, { verify: { trust, maxAge: Infinity } });
  const outcome = ([name, args]) =>
    client[name](args).then((result) => JSON.stringify(result), (error) => error.code + ": " + error.message);
  return Promise.all(calls.map(outcome));
})(${JSON.stringify(input)})`;

it("loads rare instructions in Chromium when code has them, and proves what it does", async () => {
  const { zero, headId } = openFixtureLedger();
  const trust = trustOf({ zeroState: zero.id, initBlock: headId });
  const origin = await serveClient();
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const { page } = await Visitor.open(browser, origin);
  await page.goto(origin);
  const address = `-1:${"5".repeat(64)}`;
  const bagOf = (hex: string) => {
    const builder = new Builder();
    for (const byte of Buffer.from(hex, "hex")) builder.storeUint(byte, 8);
    return Buffer.from(writeBoc(builder.cell())).toString("base64");
  };
  const codes = {
    keccak: "c8c9d071f9040330",
    blake2b: "c8c9d071f9040230",
    ristretto: "7171f9203030",
    runvm: "70c8c9d0db400030",
    bless: "c8c9d0ed1e30",
    littleEndian: "71c8cf2830",
    sizes: "c8cf3130",
    prefixes: "c8c9d0c8c9d06d78f4703030",
    dictionary: "c8c9d0c8c9d06d70f41230",
    unknown: "ffff",
  };
  const calls = Object.values(codes).map((hex) => ({
    name: "estimateFee",
    // What comes after ACCEPT is charged in any case.
    args: { address, body: bagOf(""), init_code: bagOf(`f800${hex}`), init_data: bagOf(""), ignore_chksig: true },
  }));
  const outcomes = (await page.evaluate(askBoth({ base: `${server.origin}/api/v2`, trust, calls }))) as string[][];
  expect(outcomes.map(([, proved]) => proved)).toEqual(outcomes.map(([plain]) => plain));
  expect(outcomes.filter(([plain = ""]) => !plain.startsWith("{"))).toEqual([]);
  // They use gas of their own.
  expect(new Set(outcomes.map(([plain]) => plain)).size).toBeGreaterThan(2);
});

it("proves answers of the index in Chromium as in Node", async () => {
  const stage = await openStage();
  const account = formatRawAddress(stage.chain.wallet(0).address);
  const calls = [
    ["transactions", { account: [account], limit: 5 }],
    ["messages", { source: account, limit: 5 }],
    ["actions", { account, limit: 2 }],
    ["traces", { account, limit: 2 }],
    ["accountStates", { address: [account] }],
    ["walletStates", { address: [account] }],
    ["blocks", { workchain: 0, limit: 2 }],
    ["runGetMethod", { address: account, method: "seqno", stack: [] }],
    ["decode", { opcodes: ["0x0f8a7ea5"] }],
    ["topAccountsByBalance", {}],
  ] as const;
  const trust = trustOf(stage.start);
  const client = createV3Client(stage.base, { verify: { trust, maxAge: Number.POSITIVE_INFINITY } });
  const expected: string[] = [];
  for (const [name, args] of calls) {
    const method = Object(client)[name] as (given: object) => Promise<unknown>;
    expected.push(
      await method(args).then(JSON.stringify, (error: unknown) => `${Object(error).code}: ${Object(error).message}`),
    );
  }
  expect(expected.map((text) => text.startsWith("verify/"))).toEqual([...calls.slice(1).map(() => false), true]);
  const origin = await serveClient();
  const { page } = await Visitor.open(browser, origin);
  await page.goto(origin);
  expect(await page.evaluate(askV3({ base: stage.base, trust, calls }))).toEqual(expected);
});

const walletAbi = {
  name: "wallet",
  methods: [{ name: "seqno", args: [], result: [{ name: "seqno", type: "uint32" }] }],
  receives: [
    {
      name: "add",
      tag: "#7e8764ef",
      fields: [
        { name: "by", type: "coins" },
        { name: "note", type: { ref: "text" } },
      ],
    },
  ],
} as const;

/** Runs in the page: what a contract by an ABI reads, makes and decodes. */
const useContract = (input: object) => `(async ({ base, address, abi }) => {
  const { createV3Client } = await import("/api/client/v3Client.js");
  const contract = await createV3Client(base).contract(address, abi);
  const body = contract.encode.add({ by: 10n ** 18n, note: "ünïcode" });
  const decoded = contract.decode(body);
  return [await contract.read.seqno(), body, typeof decoded.fields.by, String(decoded.fields.by), decoded.fields.note];
})(${JSON.stringify(input)})`;

it("reads and makes by an ABI in Chromium what Node does", async () => {
  const stage = await openStage();
  const address = formatRawAddress(stage.chain.wallet(0).address);
  const contract = await createV3Client(stage.base).contract(address, walletAbi);
  const read = await contract.read.seqno();
  expect(read).toEqual({ seqno: expect.any(Number) });
  const body = contract.encode.add({ by: 10n ** 18n, note: "ünïcode" });
  const origin = await serveClient();
  const { page } = await Visitor.open(browser, origin);
  await page.goto(origin);
  expect(await page.evaluate(useContract({ base: stage.base, address, abi: walletAbi }))).toEqual([
    ...[read, body, "bigint", "1000000000000000000", "ünïcode"],
  ]);
});
