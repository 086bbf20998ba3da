import { afterAll, beforeAll, expect, it } from "vitest";
import { askVerification } from "../../../src/app/local/localControl.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";

let service: StartedService;

beforeAll(async () => {
  service = await startService({ flags: ["--demo", "off", "--no-index", "--block-ms", "3600000"] });
});

afterAll(() => service.close());

const historyOff = {
  code: 503,
  error:
    "v3 is off: this server has no index (--no-index); start it without --no-index, or with the --database of an index",
};

it("answers every request of v3 with what is off and how to switch it on", async () => {
  const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
    ["/api/v3"],
    ["/api/v3/"],
    ["/api/v3/transactions?limit=1"],
    ["/api/v3/message", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }],
    ["/api/v3/openapi.json"],
  ];
  for (const [path, init] of requests) {
    const response = await fetch(`${service.origin}${path}`, init);
    const { status, headers } = response;
    expect([path, status, headers.get("access-control-allow-origin"), await response.json()]).toEqual([
      path,
      503,
      "*",
      historyOff,
    ]);
  }
});

it("lets browsers read the refusal of v3", async () => {
  const { status, headers } = await fetch(`${service.origin}/api/v3/message`, { method: "OPTIONS" });
  expect([status, headers.get("access-control-allow-origin"), headers.get("access-control-allow-headers")]).toEqual([
    204,
    "*",
    "*",
  ]);
});

it("says on each page of the explorer what is off and how to switch it on", async () => {
  const text = "The explorer is off: this server has no index (--no-index). Start it without --no-index.\n";
  for (const path of ["/explorer", "/explorer/", "/explorer/local"]) {
    const response = await fetch(`${service.origin}${path}`);
    expect([path, response.status, await response.text()]).toEqual([path, 404, text]);
    const head = await fetch(`${service.origin}${path}`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([404, String(text.length)]);
  }
});

it("says on the page of the service that there is no index", async () => {
  const page = await (await fetch(`${service.origin}/`)).text();
  expect(page).toContain("<dt>Index</dt><dd>off (--no-index): no v3, no streams, no explorer</dd>");
  expect(page).not.toContain('href="/explorer/"');
});

it("says to a verification that there is no index", async () => {
  const { hostname: host, port } = new URL(service.origin);
  const refused = askVerification({ host, port: Number(port) }, 1);
  await expect(refused).rejects.toMatchObject({ code: "api/refused", message: /: this server has no index$/ });
});
