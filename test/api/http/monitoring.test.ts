import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noChain, openV2Server, type TestServer } from "../../kit/api/apiServer.ts";
import { readRaw, sendRaw } from "../../kit/api/rawHttp.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

/** The loopback addresses of this machine. */
function loopbacks(): string[] {
  const found = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
  return ["127.0.0.1", "::1"].filter((address) => found.includes(address));
}

let server: TestServer;
let checked = 0;
const clock = new ManualClock();

beforeAll(async () => {
  const check = async () => {
    checked += 1;
    return "fine";
  };
  server = await openV2Server({ clock, checks: [{ name: "head", check }], metrics: { kind: "path" } }, noChain);
});

afterAll(() => server.close());

describe("monitoring", () => {
  it("computes readiness once for many concurrent requests", async () => {
    checked = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${server.origin}/readyz`)));
    expect([answers.map(({ status }) => status), checked]).toEqual([Array(20).fill(200), 1]);
    await clock.advance(250);
    await fetch(`${server.origin}/readyz`);
    expect(checked).toBe(2);
  });

  it("counts requests for readiness, metrics and documents", async () => {
    for (const path of ["/readyz", "/metrics", "/api/v2/openapi.json", "/api/v2/postman.json"]) {
      const response = await fetch(`${server.origin}${path}`);
      expect([path, response.status, (await response.text()).length > 0]).toEqual([path, 200, true]);
    }
    const text = await server.metricsText();
    for (const name of ["readyz", "metrics", "openapi", "postman"])
      expect(text).toMatch(new RegExp(`tongate_requests_total\\{endpoint="${name}",via="GET",status="200"\\} [1-9]`));
  });
});

describe("headers", () => {
  const status = async (headers: string) =>
    readRaw(await sendRaw(server.port, `GET /api/v2/healthcheck HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`))
      .status;

  it("may have at most 65,536 bytes", async () => {
    const rest = "Host: a\r\nX-Long: \r\nConnection: close\r\n".length;
    expect(await status(`Host: a\r\nX-Long: ${"x".repeat(65_536 - rest)}\r\n`)).toBe(200);
    expect(await status(`Host: a\r\nX-Long: ${"x".repeat(65_537 - rest)}\r\n`)).toBe(431);
  });

  it("may have one Host", async () => {
    expect(await status("Host: a\r\n")).toBe(200);
    expect(await status("Host: a\r\nHost: b\r\n")).toBe(400);
    expect(await status("Host: a\r\nhOST: a\r\n")).toBe(400);
  });

  it("are checked on both addresses of localhost", async () => {
    const both = await openV2Server({ clock, host: "localhost" }, noChain);
    const request = "GET /api/v2/healthcheck HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n";
    const statuses: number[] = [];
    for (const host of loopbacks()) statuses.push(readRaw(await sendRaw(both.port, request, host)).status);
    await both.close();
    expect(statuses).toEqual(loopbacks().map(() => 400));
  });
});
