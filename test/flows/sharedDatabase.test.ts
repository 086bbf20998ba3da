import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Command } from "../../src/app/Command.ts";
import { db } from "../../src/app/commands/db.ts";
import { doctor } from "../../src/app/commands/doctor.ts";
import { index } from "../../src/app/commands/indexing.ts";
import { openPostgres } from "../../src/history/store/engine/postgres/openPostgres.ts";
import type { Localnet } from "../../src/localnet/network/Localnet.ts";
import { RemoteStage, type TestService } from "../kit/app/remoteStage.ts";
import { freshUrl, quietModules } from "../kit/history/database.ts";
import { dumpIndex } from "../kit/history/indexTables.ts";
import { recordTerminal } from "../kit/suite/recordTerminal.ts";
import "../kit/suite/longRun.ts";

const patience = { timeout: 300_000, interval: 200 };

let stage: RemoteStage;
let nets: readonly [Localnet, Localnet];
/** Global config files of the networks red and blue. */
let files: readonly [string, string];

beforeAll(async () => {
  stage = await RemoteStage.open();
  nets = [await stage.openNet(), await stage.openNet(-3_000)];
  for (let round = 0; round < 3; round++) await nets[0].step();
  for (let round = 0; round < 6; round++) await nets[1].step();
  files = [await configOf("red", nets[0]), await configOf("blue", nets[1])];
});
afterAll(() => stage.close());

async function configOf(name: string, net: Localnet): Promise<string> {
  return stage.writeGlobalConfig(`${name}.json`, net, [await stage.openServer(net.lite)]);
}

/** A configuration file that serves both networks, each under its own path. */
function fileFor(name: string, settings: { readonly red?: object; readonly blue?: object } = {}): string {
  const [red, blue] = files;
  const networks = {
    red: { globalConfig: red, ...settings.red },
    blue: { globalConfig: blue, host: "localhost", ...settings.blue },
  };
  return stage.write(`${name}.json`, { networks });
}

async function run(command: Command, ...args: readonly string[]): Promise<string> {
  const terminal = recordTerminal();
  await command.run(terminal, args);
  return terminal.written();
}

const seqnoAt = async (service: TestService, at: number) => {
  const { body } = await service.ask("/api/v3/masterchainInfo", { at });
  return Object(body.last).seqno ?? body.error;
};

async function untilCaughtUp(service: TestService, order: readonly Localnet[] = nets): Promise<void> {
  for (const [at, net] of order.entries())
    await expect.poll(() => seqnoAt(service, at), patience).toBe(net.ledger.headId.seqno);
}

async function dump(url: string, schema?: string) {
  const database = await openPostgres(url, quietModules, { schema });
  try {
    return await dumpIndex(database);
  } finally {
    await database.close();
  }
}

describe("two networks in one PostgreSQL", () => {
  it("have their own schemas, with the same content as alone", async () => {
    const url = await freshUrl();
    const flags = ["--config", fileFor("both"), "--network", "red,blue", "--from", "genesis"];
    const service = await stage.serve([...flags, "--index", "--database", url]);
    await untilCaughtUp(service);
    await service.close();
    for (const [at, name] of ["red", "blue"].entries()) {
      const own = await freshUrl();
      const alone = await stage.serve([...flags, "--network", name, "--index", "--database", own]);
      await untilCaughtUp(alone, nets.slice(at, at + 1));
      await alone.close();
      const shared = await dump(url, name);
      expect(shared.blocks?.length).toBeGreaterThan(0);
      expect(shared).toEqual(await dump(own));
    }
  });

  it("are read by programs for one of them, and maintained separately or together", async () => {
    const url = await freshUrl();
    const common = ["--config", fileFor("commands"), "--database", url, "--log-level", "silent"];
    const flags = [...common, "--data", join(stage.folder, "data")];
    const [red, blue] = nets.map((net) => net.ledger.headId.seqno);
    const where = String.raw`PostgreSQL at 127\.0\.0\.1:\d+/\w+`;
    expect(await run(db, "migrate", ...flags, "--network", "red,blue")).toMatch(
      new RegExp(
        `^red, ${where}, schema red: applied migration \\d+.*\nblue, ${where}, schema blue: applied migration \\d+.*\n$`,
      ),
    );
    expect(await run(db, "migrate", ...flags, "--network", "blue")).toMatch(/^blue, .*, schema blue: up to date\n$/);
    const reader = await stage.serve([...flags, "--network", "blue"]);
    const service = await stage.serve([...flags, "--network", "red,blue", "--index", "--from", "genesis"]);
    await untilCaughtUp(service);
    await untilCaughtUp(reader, nets.slice(1));
    await reader.close();
    await service.close();
    expect(await run(index, "status", ...flags, "--network", "red,blue")).toMatch(
      new RegExp(
        `^network +red\nplace +${where}, schema red\nblocks +1 to ${red}\n.*^network +blue\n.*^blocks +1 to ${blue}\n`,
        "ms",
      ),
    );
    expect(await run(index, "status", ...flags, "--network", "blue")).toMatch(
      new RegExp(`^network +blue\nplace +${where}, schema blue\nblocks +1 to ${blue}\n`),
    );
    const verify = await run(index, "verify", "--sample", "1000", ...flags, "--network", "red,blue");
    expect(verify).toMatch(
      new RegExp(`^red: ${red} blocks, .*rows, 0 differences\n.*^blue: ${blue} blocks, .*rows, 0 differences\n$`, "ms"),
    );
    const checked = await run(doctor, "--max-head-age-ms", "86400000", ...flags, "--network", "red,blue");
    expect(checked).toMatch(new RegExp(`^ok +database: ${where}, schema blue answers$`, "m"));
  });

  it("leave an existing index in its place", async () => {
    const url = await freshUrl();
    const flags = ["--config", fileFor("later"), "--from", "genesis", "--database", url, "--index"];
    const before = await stage.serve([...flags, "--network", "red"]);
    await untilCaughtUp(before, nets.slice(0, 1));
    await before.close();
    const rows = await dump(url);
    const both = await stage.serve([...flags, "--network", "red,blue"]);
    await untilCaughtUp(both);
    await both.close();
    expect(await dump(url)).toEqual(rows);
    const database = await openPostgres(url, quietModules);
    expect(
      await database.query("select to_regnamespace('red')::text as r, to_regnamespace('blue')::text as b"),
    ).toEqual([{ r: null, b: "blue" }]);
    await database.close();
  });

  it("use separate databases if configured", async () => {
    const [common, own] = [await freshUrl(), await freshUrl()];
    const file = fileFor("apart", { blue: { database: own } });
    const flags = ["--config", file, "--network", "red,blue", "--from", "genesis"];
    const service = await stage.serve([...flags, "--database", common, "--index"]);
    await untilCaughtUp(service);
    // Without a shared database, only the network with its own can be read.
    const reader = await stage.serve(flags);
    await expect.poll(() => seqnoAt(reader, 1), patience).toBe(nets[1].ledger.headId.seqno);
    expect((await reader.ask("/api/v3/masterchainInfo", { at: 0 })).status).toBe(503);
    await reader.close();
    await service.close();
    const [red, blue] = [await dump(common), await dump(own)];
    expect([red.segments, blue.segments]).toEqual(nets.map((net) => [`(1,${net.ledger.headId.seqno + 1})`]));
  });
});
