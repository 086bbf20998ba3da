import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveProcess } from "../../kit/api/servedProcess.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import "../kit/suite/longRun.ts";

const paths = ["actions", "transactions", "messages", "traces", "jetton/masters", "nft/items", "jetton/wallets"];

/** The status of every v3 list, each over its own connection. */
function askAll(origin: string): Promise<number[]> {
  const headers = { connection: "close" };
  return Promise.all(paths.map(async (path) => (await fetch(`${origin}/api/v3/${path}?limit=50`, { headers })).status));
}

async function readFigure(origin: string, name: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}

/** Idle connections; resolves when the system has established them. */
function openIdle(port: number, count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.on("error", () => {});
      await once(socket, "connect");
      return socket;
    }),
  );
}

describe("a process with a low limit of open files", () => {
  let app: CompiledApp;
  let folder: string;
  beforeAll(async () => {
    app = await compileApp();
    folder = mkdtempSync(join(tmpdir(), "tongate-files-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it("answers v3 while more clients are idle than its limit, and after they have left", async () => {
    const openFiles = 256;
    const service = await serveProcess(app, ["--data", join(folder, "few"), "--demo", "off"], { openFiles });
    const { origin } = service;
    await expect.poll(() => askAll(origin), { timeout: 300_000 }).toEqual(paths.map(() => 200));
    const idle = await openIdle(Number(new URL(origin).port), openFiles + 50);
    await expect.poll(() => readFigure(origin, "tongate_http_connections_ended_total")).toBeGreaterThan(openFiles / 2);
    expect(await askAll(origin)).toEqual(paths.map(() => 200));
    expect(await readFigure(origin, "tongate_http_connections")).toBeLessThan(openFiles / 2);
    for (const socket of idle) socket.destroy();
    expect(await askAll(origin)).toEqual(paths.map(() => 200));
    expect(await service.stop()).toBe(0);
    const reported = service.logged.filter((line) => line.includes('"level":"warn"'));
    // A quarter of the 96 that are left for clients belongs to the lite port.
    expect(reported.map((line) => JSON.parse(line))).toMatchObject([{ level: "warn", limit: 72 }]);
  });

  it("reports at startup that the limit is too low", async () => {
    const service = await serveProcess(app, ["--data", join(folder, "tooFew"), "--demo", "off"], { openFiles: 128 });
    expect((await fetch(`${service.origin}/api/v2/getMasterchainInfo`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
    const reported = service.logged.filter((line) => line.includes("ulimit")).map((line) => JSON.parse(line));
    expect(reported).toEqual([
      {
        level: "warn",
        time: expect.any(String),
        msg:
          "the limit of 128 open files leaves 0 connections for clients; " +
          "raise it to 256 (ulimit -n 256, or LimitNOFILE= of systemd)",
      },
    ]);
  });
});
