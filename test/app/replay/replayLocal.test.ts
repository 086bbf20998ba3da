import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beginCell, Cell, contractAddress, internal, toNano } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { abi } from "../../../src/app/abi/abi.ts";
import { replay } from "../../../src/app/commands/replay.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell as CodeCell } from "../../../src/cell/Cell.ts";
import { lockFolder } from "../../../src/localnet/store/folderLock.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";
import { compileTolkText } from "../../kit/cell/compileTolk.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";
import { LocalActs, until } from "../../kit/web/localActs.ts";
import "../../kit/suite/longRun.ts";

type Row = Readonly<Record<string, unknown>>;

const folder = mkdtempSync(join(tmpdir(), "tongate-replay-"));
let service: StartedService;

beforeAll(async () => {
  service = await startService({ folder });
  await until(async () => (await findTransactions()).length > 0);
});

afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Transactions of wallets that received an external message. */
async function findTransactions(): Promise<readonly Row[]> {
  const answer = await fetch(`${service.origin}/api/v3/transactions?workchain=0&sort=asc&limit=100`);
  const rows: readonly Row[] = Object(await answer.json()).transactions ?? [];
  return rows.filter((row) => Object(row.in_msg).source === null);
}

async function replayed(...words: readonly string[]): Promise<string> {
  const terminal = recordTerminal();
  const { port } = new URL(service.origin);
  await replay.run(terminal, [...words, "--data", folder, "--port", port, "--log-level", "error"]);
  return terminal.written();
}

describe("a replay on the local network that runs", () => {
  it("finds a transaction by its hash through the server that holds the index", async () => {
    const [first] = await findTransactions();
    const account = String(first?.account).toLowerCase();
    const hash = Buffer.from(String(first?.hash), "base64").toString("hex");
    const { exit_code: exitCode, gas_used: gasUsed } = Object(Object(first?.description).compute_ph);
    const written = await replayed(String(first?.hash));
    expect(written).toContain(`${account} lt ${first?.lt} ${hash}: equal\n`);
    expect(written).toContain(`  compute: exit code ${exitCode} (success), gas ${gasUsed} of `);
  });

  it("says so if the index has no such transaction", async () => {
    const failure = replayed("ab".repeat(32));
    await expect(failure).rejects.toMatchObject({ code: "app/usage", message: /the index has no transaction/ });
  });

  it("compares all transactions of a block", async () => {
    const [first] = await findTransactions();
    const { workchain, shard, seqno } = Object(first?.block_ref);
    expect(await replayed("--block", `${workchain},${shard},${seqno}`)).toMatch(
      /^([1-9]\d*) of \1 transactions are equal\n$/,
    );
  });
});

/** Puts a contract on the chain with a message, and gives the hash of the transaction. */
async function sendTo(compiled: CodeCell, body: Cell): Promise<string> {
  const [code] = Cell.fromBoc(Buffer.from(writeBoc(compiled)));
  if (code === undefined) throw new Error("a bag has a root");
  const init = { code, data: Cell.EMPTY };
  const to = contractAddress(0, init);
  const acts = await LocalActs.open(service);
  await acts.send([internal({ to, value: toNano("0.5"), init, body, bounce: false })]);
  const list = `/api/v3/transactions?account=${to.toRawString()}&limit=1`;
  const find = async (): Promise<readonly Row[]> => Object(await acts.ask(list)).transactions ?? [];
  await until(async () => (await find()).length === 1);
  return String((await find())[0]?.hash);
}

/** A contract that fails in a function of its own, which it calls by number. */
const refusing = `
@noinline
fun refuse(code: int) { throw code; }
fun onInternalMessage(in: InMessage) { refuse(in.body.remainingBitsCount() + 700); refuse(1); }
`;

describe("the steps of a contract with an ABI of one's own", () => {
  it("have the names of its functions and its errors", async () => {
    const compiled = await compileTolkText("main.tolk", new Map([["main.tolk", refusing]]));
    const file = join(folder, "refusing.json");
    const methods = [{ name: "refuse", id: 1, args: [], result: [] }];
    writeFileSync(file, JSON.stringify({ name: "refusing", methods, errors: { 732: "32 bits are too many" } }));
    await abi.run(recordTerminal(), ["add", file, "--code-hash", compiled.hash(), "--data", folder]);

    const hash = await sendTo(compiled, beginCell().storeUint(5, 32).endCell());

    const facts = Object(JSON.parse(await replayed(hash, "--steps", "--json")));
    expect(facts.compute).toMatchObject({ exitCode: 732, meaning: "732 (32 bits are too many)" });
    const steps: readonly Row[] = facts.steps;
    expect(steps.flatMap(({ method }) => method ?? [])).toEqual(["recv_internal", "refuse"]);
    const gas: readonly { readonly name?: string; readonly gas: number }[] = facts.gasByMethod;
    expect(gas.map(({ name }) => name ?? "none").sort()).toEqual(["none", "recv_internal", "refuse"]);
    expect(gas.reduce((sum, each) => sum + each.gas, 0)).toBe(Number(facts.compute.gasUsed));
    const written = await replayed(hash, "--steps");
    expect(written).toMatch(/ {2}gas by method:\n(?: {4}\S.* \d+\n){3}$/);
    expect(written).toContain("→ refuse\n");
    expect(written).toContain("exit code 732 (32 bits are too many), gas ");
  });
});

const counting = {
  main: [
    'import "lib/refuse"',
    "fun onInternalMessage(in: InMessage) {",
    "    var sum = 0;",
    "    repeat (3) {",
    "        sum += in.body.remainingBitsCount();",
    "    }",
    "    refuse(sum);",
    "    refuse(1);",
    "}",
    "",
  ].join("\n"),
  refuse: ["@noinline", "fun refuse(code: int) {", "    assert (code < 90) throw 700 + code;", "}", ""].join("\n"),
};

describe("the steps of a contract with a source", () => {
  let hash = "";

  beforeAll(async () => {
    mkdirSync(join(folder, "lib"));
    writeFileSync(join(folder, "counting.tolk"), counting.main);
    writeFileSync(join(folder, "lib", "refuse.tolk"), counting.refuse);
    const texts = new Map([
      ["counting.tolk", counting.main],
      ["lib/refuse.tolk", counting.refuse],
    ]);
    const compiled = await compileTolkText("counting.tolk", texts);
    const file = join(folder, "counting.json");
    writeFileSync(file, JSON.stringify({ name: "counting" }));
    const sources = ["counting.tolk", join("lib", "refuse.tolk")].map((name) => join(folder, name)).join(",");
    const words = ["add", file, "--code-hash", compiled.hash(), "--source", sources, "--data", folder];
    await abi.run(recordTerminal(), words);
    hash = await sendTo(compiled, beginCell().storeUint(5, 32).endCell());
  });

  it("have lines, their texts and variables, and gas by line", async () => {
    const facts = Object(JSON.parse(await replayed(hash, "--steps", "--json")));
    expect(facts.compute).toMatchObject({ exitCode: 796 });
    const steps: readonly Row[] = facts.steps;
    const lines = steps.map(({ source }) => Object(source)).filter(({ line }) => line !== undefined);
    const places = lines.map(({ file, line, text }) => `${file}:${line} ${text}`);
    expect([...new Set(places)]).toEqual([
      "counting.tolk:2 fun onInternalMessage(in: InMessage) {",
      "counting.tolk:3 var sum = 0;",
      "counting.tolk:4 repeat (3) {",
      "counting.tolk:5 sum += in.body.remainingBitsCount();",
      "counting.tolk:7 refuse(sum);",
      "lib/refuse.tolk:3 assert (code < 90) throw 700 + code;",
    ]);
    const sums = lines.flatMap(({ line, variables }) =>
      line === 5 ? variables.flatMap((each: Row) => (each.name === "sum" ? [each.value] : [])) : [],
    );
    expect([...new Set(sums)]).toEqual(["0", "32", "64"]);
    const gas: readonly { readonly file?: string; readonly gas: number }[] = facts.gasByLine;
    expect(gas.reduce((sum, each) => sum + each.gas, 0)).toBe(Number(facts.compute.gasUsed));
    expect(gas.filter(({ file }) => file !== undefined)).toHaveLength(6);
  });

  it("are printed only at the places that are asked for", async () => {
    const stops = async (places: string) => {
      const { steps } = Object(JSON.parse(await replayed(hash, "--break", places, "--json")));
      return steps.map(({ source, operation }: Row) => [Object(source).line, operation]);
    };
    const [first] = await stops("counting.tolk:5");
    expect(await stops("counting.tolk:5")).toEqual([first, first, first]);
    expect(first[0]).toBe(5);
    expect(await stops("refuse")).toEqual([[3, expect.any(String)]]);
    expect(await stops("exit,refuse")).toEqual([
      [3, expect.any(String)],
      [3, "THROWANY"],
    ]);
    expect(await stops("counting.tolk:999,nothing,../../x:1")).toEqual([]);
    const written = await replayed(hash, "--break", "counting.tolk:5");
    expect(written).toMatch(/^counting.tolk:5 {2}sum \+= in.body.remainingBitsCount\(\);\n {8}.*sum = 0/);
    expect(written).toMatch(/ {2}gas by line:\n(?: {4}\S.* \d+\n){7}$/);
  });

  it("are the same in v2, which finds the next step of a line", async () => {
    const list = Object(
      await (await fetch(`${service.origin}/api/v3/transactions?hash=${encodeURIComponent(hash)}`)).json(),
    );
    const { account, lt } = list.transactions[0];
    const ask = async (more: string) => {
      const query = `address=${account}&lt=${lt}&hash=${encodeURIComponent(hash)}&limit=1000&${more}`;
      return Object(await (await fetch(`${service.origin}/api/v2/replayTransaction?${query}`)).json()).result;
    };
    const { steps, gas_by_line: lines, gas_by_stack: stacks, gas_used: used } = await ask("source=true");
    const facts = Object(JSON.parse(await replayed(hash, "--steps", "--json")));
    expect(steps.map((each: Row) => Object(each.source).line)).toEqual(
      facts.steps.map((each: Row) => Object(each.source).line),
    );
    for (const list of [lines, stacks])
      expect(list.reduce((sum: number, each: Row) => sum + Number(each.gas), 0)).toBe(used);
    const calls: readonly (readonly string[])[] = stacks.map((each: Row) => each.frames);
    expect(calls).toContainEqual(["onInternalMessage", "refuse", "lib/refuse.tolk:3"]);
    expect(calls).toContainEqual(["onInternalMessage", "counting.tolk:5"]);
    const begins: number[] = [];
    for (let from = 0; begins.length < 10; from = Number(begins.at(-1)) + 1) {
      const [first] = (await ask(`break=counting.tolk:5&from=${from}`)).steps;
      if (first === undefined) break;
      begins.push(first.index);
    }
    // Once in each round of the loop.
    const [first = 0] = begins;
    expect(begins.map((at) => [steps[at].source.line, steps[at].operation])).toEqual(
      Array.from({ length: 3 }, () => [5, steps[first].operation]),
    );
    expect((await ask("")).steps[30].source).toBeNull();
  });
});

it("a replay on a local network that does not run says so", async () => {
  const other = mkdtempSync(join(tmpdir(), "tongate-replay-"));
  try {
    const failure = replay.run(recordTerminal(), ["ab".repeat(32), "--data", other]);
    await expect(failure).rejects.toMatchObject({ code: "app/usage", message: /localnet is not running; start it/ });
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

it("a replay on a local network without a lite server says what it needs", async () => {
  const other = mkdtempSync(join(tmpdir(), "tongate-replay-"));
  mkdirSync(join(other, "localnet"), { mode: 0o700 });
  const lock = await lockFolder(join(other, "localnet"));
  try {
    const failure = replay.run(recordTerminal(), ["ab".repeat(32), "--data", other]);
    const message = /localnet runs without a lite server; start it without --lite-port off/;
    await expect(failure).rejects.toMatchObject({ code: "app/usage", message: expect.stringMatching(message) });
  } finally {
    lock.release();
    rmSync(other, { recursive: true, force: true });
  }
});
