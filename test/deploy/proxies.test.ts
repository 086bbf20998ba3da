import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ServedProcess, serveProcess } from "../../kit/api/servedProcess.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { readDeployFiles } from "../kit/deploy/deployFiles.ts";
import { freePort } from "../kit/deploy/freePort.ts";
import { isInstalled, proxySamples, startProxy } from "../kit/deploy/proxies.ts";

const folder = mkdtempSync(join(tmpdir(), "tongate-proxies-"));
let app: CompiledApp;
let service: ServedProcess;

beforeAll(async () => {
  app = await compileApp();
  service = await serveProcess(app, ["--data", join(folder, "data"), "--demo", "off"]);
  while ((await fetch(`${service.origin}/readyz`)).status !== 200) await setTimeout(100);
});

afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true });
});

function ask(origin: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const send = origin.startsWith("https:") ? requestHttps : requestHttp;
  // The test's own certificate.
  return send(`${origin}${path}`, { rejectUnauthorized: false, headers }).end();
}

async function statusOf(origin: string, path: string, headers?: Readonly<Record<string, string>>): Promise<number> {
  const [response] = (await once(ask(origin, path, headers), "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

it("covers every proxy sample", () => {
  const files = [...readDeployFiles().keys()].filter((path) => path.startsWith("proxy/"));
  expect(proxySamples.map(({ file }) => `proxy/${file}`).sort()).toEqual(files.sort());
});

describe.each(proxySamples.filter(isInstalled))("$file in front of the program", (sample) => {
  it("is accepted by its program, and forwards requests, events and WebSockets at once", async () => {
    const place = { folder: join(folder, sample.file), port: await freePort(), server: new URL(service.origin).host };
    const proxy = startProxy(sample, place);
    onTestFinished(() => proxy.stop());
    expect([proxy.check.status, proxy.check.text]).toEqual([0, proxy.check.text]);
    const answers = () => statusOf(proxy.origin, "/api/v2/getMasterchainInfo").catch(() => proxy.output());
    await expect.poll(answers, { timeout: 400_000 }).toBe(200);
    if (sample.file !== "Caddyfile.scaled") expect(await statusOf(proxy.origin, "/metrics")).toBe(404);

    const events = ask(proxy.origin, "/api/streaming/v2/sse?types=blocks&cursor=1");
    const [stream] = (await once(events, "response")) as [IncomingMessage];
    onTestFinished(() => void events.destroy());
    let text = "";
    stream.setEncoding("utf8").on("data", (more) => (text += more));
    // A buffering proxy would hold these back: the stream does not end.
    await expect.poll(() => text.match(/"type":"blocks"/g)?.length ?? 0, { timeout: 400_000 }).toBeGreaterThan(1);

    const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    const socket = ask(proxy.origin, "/api/streaming/v2/ws", {
      ...upgrade,
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    });
    const [switched, connection] = (await once(socket, "upgrade")) as [IncomingMessage, Duplex];
    connection.destroy();
    expect([switched.statusCode, switched.headers["sec-websocket-accept"]]).toEqual([
      101,
      "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    ]);
  });
});
