import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  launchPostgres,
  type PostgresServer,
  postgresUrl,
  startPostgres,
  stopPostgres,
} from "../../kit/history/postgres/postgresServer.ts";
import type { Command } from "../../src/app/Command.ts";
import { db } from "../../src/app/commands/db.ts";
import { doctor } from "../../src/app/commands/doctor.ts";
import { index } from "../../src/app/commands/indexing.ts";
import { openPostgres } from "../../src/history/store/engine/postgres/openPostgres.ts";
import type { Localnet } from "../../src/localnet/network/Localnet.ts";
import { RemoteStage } from "../kit/app/remoteStage.ts";
import { freshUrl, quietModules } from "../kit/history/database.ts";
import { recordTerminal } from "../kit/suite/recordTerminal.ts";

const patience = { timeout: 300_000, interval: 200 };

let stage: RemoteStage;
let net: Localnet;
let config: string;
beforeAll(async () => {
  stage = await RemoteStage.open();
  net = await stage.openNet();
  for (let round = 0; round < 3; round++) await net.step();
  config = stage.writeGlobalConfig("private.json", net, [await stage.openServer(net.lite)]);
});
afterAll(() => stage.close());

type Asked = Awaited<ReturnType<RemoteStage["serve"]>>;

const seqnoOf = async ({ ask }: Asked) => {
  const { body } = await ask("/api/v3/masterchainInfo");
  return Object(body.last).seqno ?? body.error;
};

describe("a service whose index is in PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(mkdtempSync(join(tmpdir(), "tongate-history-")));
  });
  afterAll(async () => {
    await stopPostgres(server);
    rmSync(server.folder, { recursive: true, force: true });
  });

  it("answers v2 while the database is down, reports why v3 fails, and recovers by itself", async () => {
    await stopPostgres(server);
    const flags = ["--network", config, "--index", "--from", "genesis", "--database", postgresUrl(server, "postgres")];
    const service = await stage.serve(flags);
    const head = async () => (await service.ask("/api/v2/getMasterchainInfo")).status;
    await expect.poll(head, patience).toBe(200);
    const refused = { status: 503, body: { code: 503, error: "the index cannot be reached" } };
    expect(await service.ask("/api/v3/masterchainInfo")).toEqual(refused);
    const ready = async () => Object((await service.ask("/readyz")).body.checks);
    expect(await ready()).toMatchObject({
      head: { ok: true },
      database: { ok: false, detail: expect.stringContaining("ECONNREFUSED") },
      index: { ok: false },
    });
    await launchPostgres(server);
    await expect.poll(() => seqnoOf(service), patience).toBe(net.ledger.headId.seqno);
    await stopPostgres(server);
    await expect.poll(async () => (await service.ask("/api/v3/masterchainInfo")).status, patience).toBe(503);
    expect(await head()).toBe(200);
    await launchPostgres(server);
    await net.step();
    await expect.poll(() => seqnoOf(service), patience).toBe(net.ledger.headId.seqno);
    await expect.poll(async () => Object(await ready()).index.ok, patience).toBe(true);
  });
});

describe("services that share a PostgreSQL", () => {
  it("take turns as its writer, and all of them answer", async () => {
    const url = await freshUrl();
    const flags = ["--network", config, "--from", "genesis", "--database", url];
    const first = await stage.serve([...flags, "--index"]);
    await expect.poll(() => seqnoOf(first), patience).toBe(net.ledger.headId.seqno);
    const second = await stage.serve([...flags, "--index"]);
    const reader = await stage.serve(flags);
    const standing = async ({ ask }: Asked) => String(Object((await ask("/readyz")).body.checks).index?.detail);
    await expect
      .poll(() => standing(second), patience)
      .toMatch(/^waiting, because another process writes it; block \d+/);
    await expect.poll(() => standing(reader), patience).toMatch(/^read only; block \d+/);
    expect([await seqnoOf(second), await seqnoOf(reader)]).toEqual(Array(2).fill(net.ledger.headId.seqno));
    await first.close();
    await net.step();
    for (const service of [second, reader])
      await expect.poll(() => seqnoOf(service), patience).toBe(net.ledger.headId.seqno);
    expect(await standing(second)).not.toContain("waiting");
  });

  it("wait for the tables if they only read", async () => {
    const url = await freshUrl();
    const reader = await stage.serve(["--network", config, "--database", url]);
    expect(await reader.ask("/api/v3/masterchainInfo")).toMatchObject({ status: 503 });
    expect(Object((await reader.ask("/readyz")).body.checks).database.detail).toContain("tongate db migrate");
    await stage.serve(["--network", config, "--from", "genesis", "--database", url, "--index"]);
    await expect.poll(() => seqnoOf(reader), patience).toBe(net.ledger.headId.seqno);
  });

  it("do not start on the database of another network", async () => {
    const other = await stage.openNet(60_000);
    const foreign = stage.writeGlobalConfig("other.json", other, [await stage.openServer(other.lite)]);
    const used = await freshUrl();
    const service = await stage.serve(["--network", config, "--from", "genesis", "--database", used, "--index"]);
    await expect.poll(() => seqnoOf(service), patience).toBe(net.ledger.headId.seqno);
    for (const flags of [["--index"], []]) {
      await expect(stage.serve(["--network", foreign, "--database", used, ...flags])).rejects.toMatchObject({
        code: "app/config",
        message: expect.stringMatching(
          /^the index in PostgreSQL at .*: the database belongs to the network with .*; give another --database$/,
        ),
      });
    }
  });
});

describe("commands about an index", () => {
  async function run(command: Command, ...args: readonly string[]): Promise<string> {
    const terminal = recordTerminal();
    await command.run(terminal, args);
    return terminal.written();
  }

  it("create its tables, report its progress, and compare it with the chain", async () => {
    const url = await freshUrl();
    const flags = [
      "--network",
      config,
      "--database",
      url,
      "--log-level",
      "silent",
      "--data",
      join(stage.folder, "data"),
    ];
    expect(await run(index, "status", ...flags)).toMatch(/^index +its tables are missing or of an older version/m);
    expect(await run(db, "migrate", ...flags)).toMatch(/: applied migration \d+/);
    expect(await run(db, "migrate", ...flags)).toMatch(/: up to date\n$/);
    expect(await run(index, "status", ...flags)).toMatch(/^index +empty$/m);
    const service = await stage.serve([...flags, "--index", "--from", "genesis"]);
    await expect.poll(() => seqnoOf(service), patience).toBe(net.ledger.headId.seqno);
    await service.close();
    const last = net.ledger.headId.seqno;
    expect(await run(index, "status", ...flags)).toMatch(
      new RegExp(`^blocks +1 to ${last}\n.*^newest +${last}, `, "ms"),
    );
    expect(await run(index, "verify", "--sample", "1000", ...flags)).toMatch(
      new RegExp(`: ${last} blocks, \\d+ accounts, \\d+ traces, \\d+ rows, 0 differences\n$`),
    );
    const checked = await run(doctor, "--max-head-age-ms", "86400000", ...flags);
    expect(checked).toMatch(/^ok +database: PostgreSQL at 127\.0\.0\.1:\d+\/\w+ answers$/m);
    expect(checked).toMatch(new RegExp(`^ok +index: has masterchain block ${last}$`, "m"));
    const database = await openPostgres(url, quietModules);
    await database.write((session) => session.run("update transactions set total_fees = total_fees + 1"));
    await database.close();
    await expect(run(index, "verify", "--sample", "1000", ...flags)).rejects.toMatchObject({ code: "app/problems" });
  });

  it("reject unknown arguments", async () => {
    for (const [command, ...args] of [
      [index, "erase"],
      [index, "status", "now"],
      [index, "--sample", "5"],
      [db],
      [db, "erase"],
    ] as const)
      await expect(run(command, ...args)).rejects.toMatchObject({ code: "app/usage" });
    await expect(run(index, "--no-index")).rejects.toMatchObject({ code: "app/config" });
    const unnamed = stage.writeGlobalConfig("public.json", net, [await stage.openServer(net.lite)]);
    const two = ["--network", `localnet,${unnamed}`, "--database", "postgres://nowhere/x"];
    await expect(run(db, "migrate", ...two)).rejects.toMatchObject({ code: "app/config" });
  });
});

describe("a service without an index", () => {
  it("refuses v3 with what to do, and does not mention it at the start", async () => {
    const service = await stage.serve(["--network", config]);
    expect((await service.ask("/api/v2/getMasterchainInfo").catch(() => ({ status: 0 }))).status).toBeGreaterThan(0);
    expect(await service.ask("/api/v3/masterchainInfo")).toMatchObject({
      status: 503,
      body: { code: 503, error: expect.stringContaining("--database") },
    });
    expect(service.written()).not.toMatch(/\bv3\b/);
  });
});
