import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beginCell, Cell, contractAddress, internal, toNano } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { abi } from "../../../src/app/abi/abi.ts";
import { replay } from "../../../src/app/commands/replay.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";
import { compileTolkText } from "../../kit/cell/compileTolk.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";
import { LocalActs, until } from "../../kit/web/localActs.ts";

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

/** A contract that fails in a function of its own, which it calls by number. */
const refusing = `
@noinline
fun refuse(code: int) { throw code; }
fun onInternalMessage(in: InMessage) { refuse(in.body.remainingBitsCount() + 700); refuse(1); }
`;

describe("the steps of a contract with an ABI of one's own", () => {
  it("have the names of its functions and its errors", async () => {
    const compiled = await compileTolkText("main.tolk", new Map([["main.tolk", refusing]]));
    const [code] = Cell.fromBoc(Buffer.from(writeBoc(compiled)));
    if (code === undefined) throw new Error("a bag has a root");
    const init = { code, data: Cell.EMPTY };
    const to = contractAddress(0, init);
    const file = join(folder, "refusing.json");
    const methods = [{ name: "refuse", id: 1, args: [], result: [] }];
    writeFileSync(file, JSON.stringify({ name: "refusing", methods, errors: { 732: "32 bits are too many" } }));
    await abi.run(recordTerminal(), ["add", file, "--code-hash", compiled.hash(), "--data", folder]);

    const acts = await LocalActs.open(service);
    const body = beginCell().storeUint(5, 32).endCell();
    await acts.send([internal({ to, value: toNano("0.5"), init, body, bounce: false })]);
    const list = `/api/v3/transactions?account=${to.toRawString()}&limit=1`;
    const find = async (): Promise<readonly Row[]> => Object(await acts.ask(list)).transactions ?? [];
    await until(async () => (await find()).length === 1);
    const [failed] = await find();

    const facts = Object(JSON.parse(await replayed(String(failed?.hash), "--steps", "--json")));
    expect(facts.compute).toMatchObject({ exitCode: 732, meaning: "732 (32 bits are too many)" });
    const steps: readonly Row[] = facts.steps;
    expect(steps.flatMap(({ method }) => method ?? [])).toEqual(["recv_internal", "refuse"]);
    const gas: readonly { readonly name?: string; readonly gas: number }[] = facts.gasByMethod;
    expect(gas.map(({ name }) => name ?? "none").sort()).toEqual(["none", "recv_internal", "refuse"]);
    expect(gas.reduce((sum, each) => sum + each.gas, 0)).toBe(Number(facts.compute.gasUsed));
    const written = await replayed(String(failed?.hash), "--steps");
    expect(written).toMatch(/ {2}gas by method:\n(?: {4}\S.* \d+\n){3}$/);
    expect(written).toContain("→ refuse\n");
    expect(written).toContain("exit code 732 (32 bits are too many), gas ");
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
