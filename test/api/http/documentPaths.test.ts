import { afterEach, expect, it } from "vitest";
import type { V2Services } from "../../../src/api/v2/declare.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { openApiServer, type TestServer } from "../../kit/api/apiServer.ts";

let server: TestServer | undefined;

afterEach(() => server?.close());

async function open(): Promise<string> {
  // No operation runs, so no services are needed.
  server = await openApiServer(v2Api, Object.freeze({}) as V2Services, { metrics: { kind: "path" } });
  return server.origin;
}

it("serves the documentation as pages that load nothing from elsewhere", async () => {
  const origin = await open();
  const first = await fetch(`${origin}/docs`);
  expect([first.status, first.url, first.headers.get("content-type")]).toEqual([
    200,
    `${origin}/docs/start`,
    "text/html; charset=utf-8",
  ]);
  expect(first.headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;/,
  );
  expect([first.headers.get("x-content-type-options"), first.headers.get("x-frame-options")]).toEqual([
    "nosniff",
    "DENY",
  ]);
  const page = await first.text();
  expect(page).toContain('<h1 id="start">Start</h1>');
  // The search and the copy buttons.
  expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/landing.js" defer>']);
});

it("lists the existing pages for an unknown one", async () => {
  const missing = await fetch(`${await open()}/docs/nothing`);
  expect(missing.status).toBe(404);
  expect(await missing.json()).toEqual({
    error: expect.stringMatching(/^page not found; use one of: start, mainnet, /),
  });
});

it("serves a collection with the requested origin", async () => {
  const origin = await open();
  const response = await fetch(`${origin}/api/v2/postman.json`);
  const { variable } = (await response.json()) as { variable: readonly object[] };
  expect(variable[0]).toEqual({ key: "baseUrl", value: `${origin}/api/v2` });
});

it("answers HEAD of every page as GET, without the body", async () => {
  const origin = await open();
  const landing = await (await fetch(`${origin}/`)).text();
  const linked = [...landing.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path = ""]) => path);
  const others = ["/docs", "/docs/start", "/docs/operating", "/docs/nothing", "/healthcheck", "/readyz", "/metrics"];
  const documents = ["", "/", "/index.html", "/openapi.json", "/postman.json", "/static/logo.svg"];
  const paths = new Set(["/", ...linked, ...others, ...documents.map((name) => `/api/v2${name}`)]);
  for (const path of paths) {
    const [get, head] = await Promise.all(["GET", "HEAD"].map((method) => ask(`${origin}${path}`, method)));
    expect([path, head]).toEqual([path, { ...get, body: "" }]);
    expect([path, (get?.status ?? 0) < 400]).toEqual([path, path !== "/docs/nothing"]);
  }
});

/** The answer without what changes between two requests. */
async function ask(url: string, method: string) {
  const response = await fetch(url, { method, redirect: "manual", headers: { "accept-encoding": "identity" } });
  const headers = Object.fromEntries(response.headers);
  for (const name of ["date", "connection", "keep-alive", "transfer-encoding"]) delete headers[name];
  // The text of metrics counts the requests.
  if (url.endsWith("/metrics")) delete headers["content-length"];
  return { status: response.status, headers, body: await response.text() };
}
