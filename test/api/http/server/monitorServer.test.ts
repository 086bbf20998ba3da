import { afterEach, expect, it } from "vitest";
import { type MonitorServer, openMonitorServer } from "../../../../src/api/http/server/monitorServer.ts";
import { Metrics } from "../../../../src/api/metrics.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { readRaw, sendRaw } from "../../../kit/api/rawHttp.ts";

let server: MonitorServer | undefined;

afterEach(() => server?.close());

async function open(check: () => string): Promise<(path: string, method?: string) => Promise<[number, string]>> {
  const metrics = new Metrics();
  metrics.watchGauge("tongate_index_seqno", "The newest block.", () => 7);
  const modules = { metrics, checks: [{ name: "index", check }], clock: systemClock };
  server = await openMonitorServer({ host: "127.0.0.1", port: 0 }, modules);
  const origin = `http://127.0.0.1:${server.port}`;
  return async (path, method = "GET") => {
    const response = await fetch(`${origin}${path}`, { method });
    return [response.status, await response.text()];
  };
}

it("serves metrics, readiness and health of a process without an API", async () => {
  const request = await open(() => "at block 7");
  const [status, text] = await request("/metrics");
  expect([status, text.split("\n").filter((line) => line.startsWith("tongate_index_"))]).toEqual([
    200,
    ["tongate_index_seqno 7"],
  ]);
  expect(await request("/readyz?verbose")).toEqual([
    200,
    '{"ready":true,"stopping":false,"checks":{"index":{"ok":true,"detail":"at block 7"}}}',
  ]);
  expect(await request("/healthcheck")).toEqual([200, '"OK"']);
  expect(await request("/healthcheck", "HEAD")).toEqual([200, ""]);
});

it("answers 503 while a check fails, and 404 for other paths and methods", async () => {
  const request = await open(() => {
    throw new Error("the database does not answer");
  });
  expect(await request("/readyz")).toEqual([
    503,
    '{"ready":false,"stopping":false,"checks":{"index":{"ok":false,"detail":"the database does not answer"}}}',
  ]);
  expect((await request("/"))[0]).toBe(404);
  expect((await request("/metrics", "POST"))[0]).toBe(404);
});

it("refuses more than 100 headers", async () => {
  await open(() => "at block 7");
  const statusOf = async (count: number) =>
    readRaw(
      await sendRaw(
        server?.port ?? 0,
        `GET /healthcheck HTTP/1.1\r\nHost: a\r\n${"a: b\r\n".repeat(count)}Connection: close\r\n\r\n`,
      ),
    ).status;
  expect([await statusOf(98), await statusOf(99), await statusOf(1_500)]).toEqual([200, 431, 431]);
});
