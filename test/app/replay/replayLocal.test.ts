import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replay } from "../../../src/app/commands/replay.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";
import { until } from "../../kit/web/localActs.ts";

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

it("a replay on a local network that does not run says so", async () => {
  const other = mkdtempSync(join(tmpdir(), "tongate-replay-"));
  try {
    const failure = replay.run(recordTerminal(), ["ab".repeat(32), "--data", other]);
    await expect(failure).rejects.toMatchObject({ code: "app/usage", message: /localnet is not running; start it/ });
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});
