import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AttackedProcess, serveAttacked } from "../../kit/attacks/attackedProcess.ts";
import { pipelineUnread } from "../../kit/attacks/pipelineUnread.ts";
import { keepUpgrades, resetUpgrades } from "../../kit/attacks/resetUpgrades.ts";
import { sendSlowBodies } from "../../kit/attacks/slowBodies.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { atThisSpeed } from "../kit/attacks/atThisSpeed.ts";
import { repeats } from "../kit/suite/everything.ts";

const folder = mkdtempSync(join(tmpdir(), "tongate-sockets-"));
const flags = ["--data", folder, "--no-index", "--lite-port", "off", "--demo", "off", "--limits", "on"];
const megabyte = 1 << 20;
let app: CompiledApp;
let attacked: AttackedProcess;

beforeAll(async () => {
  app = await compileApp();
  attacked = await serveAttacked(app, [...flags, "--drain-ms", "500"]);
});

afterAll(async () => {
  await attacked.kill();
  rmSync(folder, { recursive: true, force: true });
});

const statusOf = async (path: string) => (await fetch(`${attacked.origin}${path}`)).status;

describe("sockets of strangers", () => {
  it("cannot end the process by resetting a connection that offers another protocol", async () => {
    await resetUpgrades(attacked.origin, repeats({ usual: 40, all: 1_000 }));
    expect(await statusOf("/healthcheck")).toBe(200);
  });

  it("neither keep new clients waiting nor fill the log with pipelined requests that they do not read", async () => {
    const before = await attacked.measure();
    const lines = attacked.logged.length;
    const end = await pipelineUnread(attacked.origin, { connections: 200, requests: 500, path: "/api/v2/healthcheck" });
    const sent = await attacked.measure();
    expect(await statusOf("/healthcheck")).toBe(200);
    const during = await attacked.measure();
    end();
    expect(await statusOf("/healthcheck")).toBe(200);
    const after = await attacked.measure();
    const all = [sent, during, after];
    const pieceMs = atThisSpeed(50);
    expect({
      // A client waits for the work before it: its answer is not behind those of all pipelined requests.
      isAnsweredDuring: during.cpuMs - sent.cpuMs < 2_000,
      isAnsweredAfter: after.cpuMs - during.cpuMs < 2_000,
      isYielding: all.every(({ worstPieceMs }) => worstPieceMs < pieceMs),
      isSmall: all.every(({ highestBytes }) => highestBytes - before.residentBytes < 150 * megabyte),
      isQuiet: attacked.logged.length - lines < 50,
    }).toEqual({ isAnsweredDuring: true, isAnsweredAfter: true, isYielding: true, isSmall: true, isQuiet: true });
  });

  it("hold no more than the budget with bodies that do not end", async () => {
    const before = await attacked.measure();
    const end = await sendSlowBodies(attacked.origin, {
      connections: repeats({ usual: 200, all: 1_000 }),
      bytes: megabyte - 1,
    });
    const { highestBytes } = await attacked.measure();
    expect(highestBytes - before.residentBytes).toBeLessThan(150 * megabyte);
    const body = '{"id":1,"jsonrpc":"2.0","method":"noSuchMethod","params":{}}';
    const response = await fetch(`${attacked.origin}/api/v2/jsonRPC`, { method: "POST", body });
    expect([404, 422, 429]).toContain(response.status);
    end();
  });

  it("do not keep the process from stopping", async () => {
    const end = await keepUpgrades(attacked.origin, 10);
    const { hostname, port } = new URL(attacked.origin);
    const silent = connect({ host: hostname, port: Number(port) });
    silent.on("error", () => {});
    await once(silent, "connect");
    expect(await attacked.stop()).toBe(0);
    end();
    silent.destroy();
    attacked = await serveAttacked(app, flags);
  });
});
