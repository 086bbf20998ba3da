import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExplorerPages } from "../../../src/api/pages/ExplorerPages.ts";
import { readPageAssets } from "../../../src/api/pages/PageAssets.ts";
import { sendRaw } from "../../kit/api/rawHttp.ts";

const shell = "<!doctype html><title>explorer</title>";
const script = "export const answer = 42;".repeat(100);
const facts = {
  network: "Local network",
  local: true,
  coin: { name: "Toncoin", symbol: "TON" },
  streaming: false,
  emulate: false,
  version: "1.2.3",
};

const loadFrom = (place: string) => async () => readPageAssets(place);

let folder: string;
let server: Server;
let port: number;

async function listen(pages: ExplorerPages): Promise<Server> {
  const made = createServer((request, response) => void pages.handle(request, response));
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  return made;
}

const portOf = (made: Server) => (made.address() as AddressInfo).port;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tongate-explorer-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), shell);
  writeFileSync(join(folder, "assets", "core-abc.js"), script);
  writeFileSync(join(folder, "secret.txt"), "secret");
  server = await listen(new ExplorerPages(loadFrom(folder), facts));
  port = portOf(server);
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...init });

describe("the pages of the explorer", () => {
  it("are the shell for every path that the explorer routes", async () => {
    for (const path of ["/explorer/", "/explorer/address/EQ", "/explorer/tx/ab%2Fcd?tab=1", "/explorer/secret.txt"]) {
      const response = await ask(path);
      expect([response.status, await response.text()]).toEqual([200, shell]);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("no-cache");
    }
  });

  it("start below their base", async () => {
    const response = await ask("/explorer");
    expect([response.status, response.headers.get("location")]).toEqual([308, "/explorer/"]);
  });

  it("send security headers: policy, types, frames", async () => {
    for (const path of [
      "/explorer/",
      "/explorer/assets/core-abc.js",
      "/explorer/about.json",
      "/explorer/assets/none",
    ]) {
      const { headers } = await ask(path);
      expect(headers.get("content-security-policy")).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'",
      );
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect([headers.get("x-content-type-options"), headers.get("x-frame-options")]).toEqual(["nosniff", "DENY"]);
    }
  });

  it("have immutable assets, compressed as the client supports", async () => {
    for (const encoding of ["br", "gzip", "identity"]) {
      const response = await ask("/explorer/assets/core-abc.js", { headers: { "accept-encoding": encoding } });
      expect(await response.text()).toBe(script);
      expect(response.headers.get("content-encoding")).toBe(encoding === "identity" ? null : encoding);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(response.headers.get("vary")).toBe("Accept-Encoding");
    }
    const refused = await ask("/explorer/assets/core-abc.js", { headers: { "accept-encoding": "br;q=0, gzip" } });
    expect(refused.headers.get("content-encoding")).toBe("gzip");
  });

  it("are not sent again to clients that have them", async () => {
    const first = await ask("/explorer/");
    const etag = first.headers.get("etag") ?? "";
    const again = await ask("/explorer/", { headers: { "if-none-match": `"other", ${etag}` } });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  });

  it("answer HEAD without a body", async () => {
    const response = await ask("/explorer/", { method: "HEAD" });
    expect([response.status, await response.text(), response.headers.get("etag") !== null]).toEqual([200, "", true]);
  });

  it("cannot name files outside their folder", async () => {
    for (const path of [
      "/explorer/assets/../secret.txt",
      "/explorer/assets/..%2fsecret.txt",
      "/explorer/assets/../../etc/passwd",
    ]) {
      const text = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(text).not.toContain("secret\n");
      expect(text).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  it("describe the features of the server", async () => {
    expect(await (await ask("/explorer/about.json")).json()).toEqual(facts);
  });

  it("explain how to build the explorer if it is not built", async () => {
    const bare = await listen(new ExplorerPages(loadFrom(join(folder, "nowhere")), facts));
    const response = await fetch(`http://127.0.0.1:${portOf(bare)}/explorer/`);
    expect([response.status, await response.text()]).toEqual([
      404,
      "The explorer is not built. Build it with: npm run build\n",
    ]);
    bare.close();
  });
});
