import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { LiteError } from "../../../../src/lite/errors.ts";
import { openApiServer, openV2Server, type TestServer, type TestServerOptions } from "../../../kit/api/apiServer.ts";
import { type FrameServices, frameApi } from "../../../kit/api/frameEndpoints.ts";
import { readRaw, sendRaw } from "../../../kit/api/rawHttp.ts";
import { deferred } from "../../../kit/suite/deferred.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const opened: TestServer[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.destroy()));
});

async function openFrame(answer: FrameServices["answer"], options: TestServerOptions = {}): Promise<TestServer> {
  const server = await openApiServer(frameApi, { answer }, options);
  opened.push(server);
  return server;
}

async function openV2(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await openV2Server(options);
  opened.push(server);
  return server;
}

const echo: FrameServices["answer"] = async ({ text }) => text;
const stamp = (servers: string, suffix = "") =>
  expect.stringMatching(new RegExp(`^\\d{10}:${servers}:[\\d.]+${suffix}$`));

async function getJson(
  server: TestServer,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.origin}/api/v2${path}`, init);
  return { status: response.status, body: await response.json() };
}

const failure = (code: number, error: string) => ({ status: code, body: { ok: false, error, code, "@extra": "_" } });

describe("paths", () => {
  it("unknown ones are not found, by any method, also outside the base", async () => {
    const server = await openV2();
    const notFound = failure(404, "Not Found");
    for (const path of ["/noSuchMethod", "//detectAddress", "/detectAddress//", "/DetectAddress", "/a/b"]) {
      expect(await getJson(server, path)).toEqual(notFound);
      expect(await getJson(server, path, { method: "POST", body: "{}" })).toEqual(notFound);
    }
    const outside = await fetch(`${server.origin}/nowhere`, {
      method: "PUT",
      body: "x",
      headers: { "content-type": ";" },
    });
    expect({ status: outside.status, body: await outside.json() }).toEqual(notFound);
  });

  it("may end in one slash", async () => {
    const server = await openV2();
    expect((await fetch(`${server.origin}/api/v2/healthcheck/`)).status).toBe(200);
  });

  it.each([
    ["GET", "/jsonRPC", "POST"],
    ["DELETE", "/detectAddress", "GET, POST"],
    ["PUT", "/detectAddress/?a=1", "GET, POST"],
    ["POST", "/healthcheck", "GET"],
  ])("%s %s lists the allowed methods", async (method, path, allowed) => {
    const server = await openV2();
    const response = await fetch(`${server.origin}/api/v2${path}`, { method });
    expect(response.headers.get("allow")).toBe(allowed);
    expect({ status: response.status, body: await response.json() }).toEqual(
      failure(405, `method ${method} is not supported`),
    );
  });

  it("HEAD is not a method of any endpoint", async () => {
    const server = await openV2();
    expect((await fetch(`${server.origin}/api/v2/detectHash`, { method: "HEAD" })).status).toBe(405);
  });

  it("HEAD gives monitors the same as GET, without a body", async () => {
    const server = await openV2();
    for (const path of ["/healthcheck", "/readyz"]) {
      const [head, whole] = await Promise.all(
        ["HEAD", "GET"].map((method) => fetch(`${server.origin}${path}`, { method })),
      );
      expect([head?.status, head?.headers.get("content-type")]).toEqual([
        whole?.status,
        whole?.headers.get("content-type"),
      ]);
      expect(await head?.text()).toBe("");
    }
  });

  it("answer CORS preflight requests", async () => {
    const server = await openV2();
    const response = await fetch(`${server.origin}/api/v2/jsonRPC`, { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, POST, OPTIONS");
    expect(response.headers.get("access-control-allow-headers")).toMatch(
      /^Content-Type, X-API-Key, X-Ton-Client-Version/,
    );
    const answered = await fetch(`${server.origin}/api/v2/healthcheck`);
    expect(answered.headers.get("access-control-allow-origin")).toBe("*");
    expect(answered.headers.get("access-control-expose-headers")).toContain("X-API-Version");
  });
});

describe("oversized and malformed requests", () => {
  it("a body of more than a megabyte, announced or not", async () => {
    const server = await openFrame(echo);
    const body = JSON.stringify({ text: "x".repeat(1_048_576) });
    const tooLarge = failure(413, "the body is too large (limit 1048576 bytes)");
    expect(await getJson(server, "/say", { method: "POST", body })).toEqual(tooLarge);
    const head = "POST /api/v2/say HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const answer = readRaw(await sendRaw(server.port, `${head}110000\r\n${"x".repeat(0x110000)}\r\n0\r\n\r\n`));
    expect({ status: answer.status, body: answer.body }).toEqual(tooLarge);
  });

  it("a body of just a megabyte is read", async () => {
    const server = await openFrame(async ({ text }) => String(text.length));
    const body = `{"text":"x"${" ".repeat(1_048_576 - 12)}}`;
    expect(await getJson(server, "/say", { method: "POST", body })).toMatchObject({
      status: 200,
      body: { result: "1" },
    });
  });

  it("a URL of more than 8 KiB", async () => {
    const server = await openFrame(echo);
    const url = (length: number) => `/say?text=${"x".repeat(length - "/api/v2/say?text=".length)}`;
    expect((await getJson(server, url(8192))).status).toBe(200);
    expect(await getJson(server, url(8193))).toEqual(failure(414, "the URL is too long (limit 8192 bytes)"));
  });

  it("headers of more than 64 KiB", async () => {
    const server = await openFrame(echo);
    const request = (length: number) =>
      `GET /api/v2/say?text=a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: ${"x".repeat(length)}\r\n\r\n`;
    expect(readRaw(await sendRaw(server.port, request(60_000))).status).toBe(200);
    const { status, body, head } = readRaw(await sendRaw(server.port, request(80_000)));
    expect({ status, body }).toEqual(failure(431, "the headers are too large (limit 65536 bytes)"));
    expect(head).toContain("X-API-Version: 2.1.0");
  });

  it.each(["/say?text=%zz", "/say?text=%", "/%zz"])("bad percent-encoding: %s", async (path) => {
    const server = await openFrame(echo);
    const { status, body } = readRaw(
      await sendRaw(server.port, `GET /api/v2${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    expect({ status, body }).toEqual(failure(400, expect.stringMatching(/^bad percent-encoding/)));
  });

  it("bytes that are not HTTP", async () => {
    const server = await openFrame(echo);
    const { status, head, body } = readRaw(await sendRaw(server.port, "hello there\r\n\r\n"));
    expect({ status, body }).toEqual(failure(400, "not an HTTP request"));
    expect(head).toContain("\r\nAccess-Control-Allow-Origin: *");
  });

  it("a content type has no effect", async () => {
    const server = await openFrame(echo);
    for (const type of ["text/plain", "x", ";;;", "application/json; charset=latin1"]) {
      const headers = { "content-type": type };
      expect((await getJson(server, "/say", { method: "POST", body: '{"text":"a"}', headers })).status).toBe(200);
    }
  });
});

describe("answers", () => {
  it("have the endpoint's notes, and trace headers on request", async () => {
    const server = await openFrame(async ({ text }, { notes }) => {
      notes.askedServer(3);
      notes.askedServer(1);
      notes.atBlock({ workchain: -1, shard: 1n << 63n, seqno: 7 });
      notes.checkedProofs(true);
      notes.took("account", 1.23456);
      notes.addHeader("X-Tongate-Incomplete", "true");
      return text;
    });
    const path = `${server.origin}/api/v2/sayOfHead?text=a`;
    const first = await fetch(path, { headers: { "x-tongate-trace": "1", "x-request-id": "mine-1" } });
    expect(await first.json()).toEqual({ ok: true, result: "a", "@extra": stamp("3,1") });
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "x-request-id": "mine-1",
      "x-tongate-server": "3,1",
      "x-tongate-block": "(-1,8000000000000000,7)",
      "x-tongate-verified": "true",
      "x-tongate-cache": "run",
      "x-tongate-ms": expect.stringMatching(/^[\d.]+$/),
      "x-tongate-incomplete": "true",
      "server-timing": "account;dur=1.235",
    });
    const second = await fetch(path, { headers: { "x-request-id": "bad id!" } });
    expect(await second.json()).toEqual({ ok: true, result: "a", "@extra": stamp("_", ":c") });
    expect(second.headers.get("x-tongate-server")).toBeNull();
    expect(second.headers.get("x-tongate-incomplete")).toBe("true");
    expect(second.headers.get("x-request-id")).toBe("r1");
  });

  it("with errors also name the servers, and have trace headers on request", async () => {
    const server = await openFrame(async ({ text }, { notes }) => {
      notes.askedServer(2);
      notes.atBlock({ workchain: -1, shard: 1n << 63n, seqno: 7 });
      throw new LiteError("lite/server", text, { data: { serverCode: 651 } });
    });
    const headers = { "x-tongate-trace": "1" };
    const wanted = { ok: false, error: "LITE_SERVER_NOTREADY: a", code: 500, "@extra": stamp("2") };
    for (const path of ["say", "sayOfHead"]) {
      const response = await fetch(`${server.origin}/api/v2/${path}?text=a`, { headers });
      expect(await response.json()).toEqual(wanted);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "x-tongate-server": "2",
        "x-tongate-block": "(-1,8000000000000000,7)",
        "x-tongate-ms": expect.stringMatching(/^[\d.]+$/),
      });
    }
    const body = JSON.stringify([{ id: 1, method: "say", params: { text: "a" } }, { method: "say" }]);
    const unread = { ok: false, error: "failed to parse text", code: 422, "@extra": stamp("_") };
    expect((await getJson(server, "/jsonRPC", { method: "POST", body })).body).toEqual([{ ...wanted, id: 1 }, unread]);
  });

  it("expose their own headers to pages of other origins", async () => {
    const server = await openFrame(async ({ text }, { notes }) => {
      notes.addHeader("X-Tongate-History", "cut");
      return text;
    });
    const exposed = async (headers: Record<string, string>) =>
      (await fetch(`${server.origin}/api/v2/say?text=a`, { headers })).headers.get("access-control-expose-headers");
    const usual = "X-API-Version, X-Request-Id, Retry-After, Server-Timing, X-Tongate-History";
    expect(await exposed({})).toBe(usual);
    expect(await exposed({ "x-tongate-trace": "1" })).toBe(`${usual}, X-Tongate-Ms, X-Tongate-Cache`);
  });

  it("about the newest block are computed once per block, for every spelling and kind of request", async () => {
    const head = { now: 1 };
    let asked = 0;
    const server = await openFrame(async ({ text }) => `${text}${++asked}`, { head: () => head.now });
    const rpc = { method: "POST", body: JSON.stringify({ id: 5, method: "sayOfHead", params: { text: "é b" } }) };
    const results = [];
    for (const ask of [
      () => getJson(server, "/sayOfHead?text=%C3%A9+b"),
      () => getJson(server, "/sayOfHead?x=y&text=%C3%A9%20b"),
      () => getJson(server, "/sayOfHead", { method: "POST", body: JSON.stringify({ text: "é b" }) }),
      () => getJson(server, "/jsonRPC", rpc),
      () => getJson(server, "/jsonRPC", rpc),
      () => getJson(server, "/sayOfHead?text=%C3%A9+b"),
    ])
      results.push(Object((await ask()).body).result);
    expect(results).toEqual(Array(6).fill("é b1"));
    head.now = 2;
    expect(await getJson(server, "/jsonRPC", rpc)).toEqual({
      status: 200,
      body: { ok: true, result: "é b2", "@extra": stamp("_"), id: 5 },
    });
    expect(await getJson(server, "/jsonRPC", rpc)).toEqual({
      status: 200,
      body: { ok: true, result: "é b2", "@extra": stamp("_", ":c"), id: 5 },
    });
  });

  it("to concurrent identical requests are one run, also for a hundred", async () => {
    const gate = deferred();
    let asked = 0;
    const server = await openFrame(async ({ text }) => {
      asked += 1;
      await gate.promise;
      return text;
    });
    const all = Promise.all(Array.from({ length: 100 }, () => getJson(server, "/sayOfHead?text=a")));
    while (asked === 0) await sleep(1);
    await sleep(50);
    gate.resolve();
    expect(new Set((await all).map(({ body }) => Object(body).result))).toEqual(new Set(["a"]));
    expect(asked).toBe(1);
  });

  it("that are immutable outlive the block, uncacheable ones and errors are never cached", async () => {
    const head = { now: 1 };
    let asked = 0;
    const server = await openFrame(
      async ({ text }, { notes }) => {
        asked += 1;
        if (text === "bad") throw new LiteError("lite/timeout", "late");
        if (text === "soon") notes.doNotKeep();
        return text;
      },
      { head: () => head.now },
    );
    for (const path of [
      "/sayForEver?text=a&seqno=1",
      "/sayForEver?text=soon&seqno=1",
      "/sayForEver?text=bad&seqno=1",
    ]) {
      await getJson(server, path);
      head.now += 1;
      await getJson(server, path);
    }
    expect(asked).toBe(1 + 2 + 2);
  });

  it("contain any text, and numbers of any size", async () => {
    const server = await openFrame(async ({ text }) => `${text} 🚀`);
    expect(await getJson(server, "/sayOfHead?text=%C3%BC")).toMatchObject({ body: { result: "ü 🚀" } });
    expect(await getJson(server, "/sayOfHead?text=%C3%BC")).toMatchObject({ body: { result: "ü 🚀" } });
    const response = await fetch(`${server.origin}/api/v2/large`, {
      method: "POST",
      body: '{"number":9223372036854775807}',
    });
    expect(await response.text()).toContain('"result":{"number":9223372036854775807}');
  });

  it("that are large are compressed for clients that support it, cached or not", async () => {
    const text = "ü".repeat(20_000);
    const server = await openFrame(async () => text);
    for (const _ of [1, 2]) {
      const request =
        "GET /api/v2/sayOfHead?text=a HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br, gzip\r\nConnection: close\r\n\r\n";
      const answer = await sendRaw(server.port, request);
      const at = answer.indexOf("\r\n\r\n");
      expect(answer.slice(0, at)).toMatch(/Content-Encoding: gzip\r\nVary: Accept-Encoding/);
      expect(JSON.parse(gunzipSync(Buffer.from(answer.slice(at + 4), "latin1")).toString())).toMatchObject({
        ok: true,
        result: text,
      });
    }
    for (const accept of ["identity", "gzip;q=0", "br"]) {
      const response = await fetch(`${server.origin}/api/v2/sayOfHead?text=a`, {
        headers: { "accept-encoding": accept },
      });
      expect([response.headers.get("content-encoding"), response.headers.get("vary")]).toEqual([
        null,
        "Accept-Encoding",
      ]);
      expect(await response.json()).toMatchObject({ result: text });
    }
    const small = await openFrame(echo);
    expect((await fetch(`${small.origin}/api/v2/say?text=a`)).headers.get("content-encoding")).toBeNull();
  });

  it("to internal errors have no details", async () => {
    const server = await openFrame(async () => {
      throw new Error("secret");
    });
    const internal = { status: 500, body: { ok: false, error: "internal error", code: 500, "@extra": stamp("_") } };
    expect(await getJson(server, "/say?text=a")).toEqual(internal);
    expect(await getJson(server, "/sayOfHead?text=a")).toEqual(internal);
    expect(await getJson(server, "/broken")).toEqual(internal);
  });
});

describe("an overloaded server", () => {
  it("refuses requests above its limit, but still answers from the cache", async () => {
    const gate = deferred();
    const server = await openFrame(
      async ({ text }) => {
        if (text !== "kept") await gate.promise;
        return text;
      },
      { maxWaiting: 2 },
    );
    await getJson(server, "/sayOfHead?text=kept");
    const waiting = [getJson(server, "/say?text=a"), getJson(server, "/sayOfHead?text=b")];
    while (!(await server.metricsText()).includes("tongate_v2_waiting 2")) await sleep(1);
    for (const path of ["/say?text=c", "/sayOfHead?text=d"]) {
      const response = await fetch(`${server.origin}/api/v2${path}`);
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(await response.json()).toMatchObject({
        ok: false,
        code: 503,
        error: "too many concurrent requests (limit 2)",
      });
    }
    expect((await getJson(server, "/sayOfHead?text=kept")).status).toBe(200);
    gate.resolve();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it.each(["say", "sayOfHead"])("stops at the deadline with the answer %s", async (name) => {
    const clock = new ManualClock();
    const aborted = deferred();
    const started = deferred();
    const server = await openFrame(
      (_args, { signal }) => {
        signal.addEventListener("abort", aborted.resolve);
        started.resolve();
        return new Promise(() => {});
      },
      { clock, deadlineMs: 700 },
    );
    const answer = getJson(server, `/${name}?text=a`);
    await started.promise;
    await clock.advance(700);
    expect(await answer).toEqual({
      status: 504,
      body: { ok: false, error: "LITE_SERVER_NETWORK timeout", code: 504, "@extra": "1700000000:_:700" },
    });
    await aborted.promise;
    expect(clock.waiting).toBe(0);
  });

  it.each(["say", "sayOfHead"])("stops %s when the client has disconnected", async (name) => {
    const [started, aborted] = [deferred(), deferred()];
    const server = await openFrame((_args, { signal }) => {
      signal.addEventListener("abort", aborted.resolve);
      started.resolve();
      return new Promise(() => {});
    });
    const controller = new AbortController();
    const request = fetch(`${server.origin}/api/v2/${name}?text=a`, { signal: controller.signal }).catch(() => "gone");
    await started.promise;
    controller.abort();
    expect(await request).toBe("gone");
    await aborted.promise;
  });
});

describe("JSON-RPC over HTTP", () => {
  const rpc = (server: TestServer, body: unknown) =>
    getJson(server, "/jsonRPC", { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });

  it.each([
    ["{bad json", 422, /^bad JSON/, {}],
    [{ id: 1, jsonrpc: "2.0" }, 422, /^method is missing$/, { id: 1, jsonrpc: "2.0" }],
    [{ id: "x", method: "noSuchMethod" }, 404, /^Method not found$/, { id: "x" }],
    [{ id: "x", method: "__proto__" }, 404, /^Method not found$/, { id: "x" }],
    [{ method: "say", params: [1] }, 422, /^params must contain an object$/, {}],
    ["[]", 422, /^a batch must have 1 to 100 requests, not 0$/, {}],
    ["5", 422, /^a request must be an object$/, {}],
    ["", 422, /^method is missing$/, {}],
  ])("%j is answered %d", async (body, status, error, echoed) => {
    const server = await openFrame(echo);
    expect(await rpc(server, body)).toEqual({
      status,
      body: { ok: false, error: expect.stringMatching(error), code: status, "@extra": "_", ...echoed },
    });
  });

  it("answers a batch in order, each request separately", async () => {
    const server = await openFrame(async ({ text }) => {
      await sleep(text === "slow" ? 20 : 0);
      return text;
    });
    const say = (id: number, text: string) => ({ id, method: "say", params: { text } });
    expect(await rpc(server, [say(1, "slow"), say(2, "b"), { id: 3, method: "none" }, 4])).toEqual({
      status: 200,
      body: [
        { ok: true, result: "slow", "@extra": stamp("_"), id: 1 },
        { ok: true, result: "b", "@extra": stamp("_"), id: 2 },
        { ok: false, error: "Method not found", code: 404, "@extra": "_", id: 3 },
        { ok: false, error: "a request must be an object", code: 422, "@extra": "_" },
      ],
    });
  });
});

describe("service paths", () => {
  it("report health and readiness", async () => {
    const state = { fails: false };
    const check = () => {
      if (state.fails) throw new Error("no head");
      return "head 5";
    };
    const clock = new ManualClock();
    const server = await openFrame(echo, { clock, checks: [{ name: "head", check }] });
    expect(await (await fetch(`${server.origin}/healthcheck`)).json()).toBe("OK");
    const ready = await fetch(`${server.origin}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ready: true, stopping: false, checks: { head: { ok: true, detail: "head 5" } } },
    ]);
    state.fails = true;
    await clock.advance(250);
    const unready = await fetch(`${server.origin}/readyz`);
    expect([unready.status, await unready.json()]).toEqual([
      503,
      { ready: false, stopping: false, checks: { head: { ok: false, detail: "no head" } } },
    ]);
  });

  it("show the service, with everything escaped for HTML", async () => {
    const server = await openFrame(echo);
    const response = await fetch(server.origin);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const page = await response.text();
    expect(page).toContain("Tongate &lt;test&gt;</h1>");
    expect(page).toContain("<dt>Network</dt><dd>none &amp; nowhere</dd>");
    expect(page).toContain("curl &#39;http://127.0.0.1/&#39;");
  });

  it("show the API without loading from other servers", async () => {
    const server = await openV2();
    const page = await (await fetch(`${server.origin}/api/v2/`)).text();
    const paths = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, path = ""]) => new URL(path, `${server.origin}/api/v2/`),
    );
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) {
      expect(path.origin).toBe(server.origin);
      expect((await fetch(path)).status).toBe(200);
    }
    const document = await (await fetch(`${server.origin}/api/v2/openapi.json`)).json();
    expect(document).toMatchObject({ openapi: "3.1.0", paths: { "/detectAddress": {} } });
    // Without the slash the page would load its files relative to the parent path.
    const bare = await fetch(`${server.origin}/api/v2?x=1`);
    expect([bare.url, await bare.text()]).toEqual([`${server.origin}/api/v2/`, page]);
  });

  it.each([
    ["GET", "/"],
    ["GET", "/openapi.json"],
    ["GET", "/static/swagger-ui.css"],
    ["GET", "/healthcheck"],
    ["GET", "/nothing"],
    ["HEAD", "/healthcheck"],
    ["OPTIONS", "/jsonRPC"],
    ["OPTIONS", "/nothing"],
    ["POST", "/jsonRPC"],
    ["PUT", "/jsonRPC"],
  ])("%s %s has the version", async (method, path) => {
    const server = await openV2();
    const { headers } = await fetch(`${server.origin}/api/v2${path}`, { method });
    expect(headers.get("x-api-version")).toBe("2.1.0");
  });

  it("serve metrics on a path, or on a separate port", async () => {
    const server = await openFrame(echo);
    await getJson(server, "/say?text=a");
    await getJson(server, "/say");
    const text = await (await fetch(`${server.origin}/metrics`)).text();
    for (const line of [
      'tongate_requests_total{endpoint="say",via="GET",status="200"} 1',
      'tongate_requests_total{endpoint="say",via="GET",status="422"} 1',
      'tongate_request_seconds_count{endpoint="say",via="GET"} 2',
      'tongate_answer_cache_bytes{version="v2",kind="head"} 0',
      "process_cpu_user_seconds_total",
    ])
      expect(text).toContain(line);
    const apart = await openFrame(echo, { metrics: { kind: "port", host: "127.0.0.1", port: 0 } });
    expect((await fetch(`${apart.origin}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${apart.metricsPort}/metrics`)).status).toBe(200);
    const none = await openFrame(echo, { metrics: { kind: "off" } });
    expect((await fetch(`${none.origin}/metrics`)).status).toBe(404);
  });
});

describe("stopping", () => {
  it("finishes running requests, then ends, without accepting connections", async () => {
    const [started, gate] = [deferred(), deferred()];
    const server = await openFrame(async ({ text }) => {
      started.resolve();
      await gate.promise;
      return text;
    });
    const answer = fetch(`${server.origin}/api/v2/say?text=a`);
    await started.promise;
    const closed = server.close();
    const again = () => fetch(`${server.origin}/healthcheck`, { headers: { connection: "close" } });
    await expect
      .poll(() =>
        again().then(
          () => "taken",
          () => "refused",
        ),
      )
      .toBe("refused");
    gate.resolve();
    const response = await answer;
    expect([response.status, response.headers.get("connection")]).toEqual([200, "close"]);
    expect(await response.json()).toMatchObject({ result: "a" });
    await closed;
  });

  it("ends requests that take longer than the drain time, by its clock", async () => {
    const clock = new ManualClock();
    const started = deferred();
    const server = await openFrame(
      () => {
        started.resolve();
        return new Promise(() => {});
      },
      { clock, drainMs: 3000, deadlineMs: 60_000 },
    );
    const answer = fetch(`${server.origin}/api/v2/say?text=a`).catch(() => "ended");
    await started.promise;
    const closed = server.close();
    await clock.advance(3000);
    expect(await answer).toBe("ended");
    await closed;
  });

  it("ends idle connections without waiting for its drain time", async () => {
    // By this clock the drain time never ends.
    const server = await openFrame(echo, { clock: new ManualClock(), drainMs: 3000 });
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET /api/v2/say?text=a HTTP/1.1\r\nHost: x\r\n\r\n");
    const [answer] = await once(socket, "data");
    expect(readRaw(String(answer)).status).toBe(200);
    const ended = once(socket.resume(), "end");
    await server.close();
    await ended;
    socket.destroy();
  });

  it("ends connections that were opened in advance and never used, and reads requests that have arrived", async () => {
    const server = await openFrame(echo, { clock: new ManualClock(), drainMs: 3000 });
    const [unused, used] = [connect(server.port, "127.0.0.1"), connect(server.port, "127.0.0.1")];
    await Promise.all([once(unused, "connect"), once(used, "connect")]);
    // Their connections are known to the server when it has answered a later one.
    await (await fetch(`${server.origin}/healthcheck`)).text();
    const [ended, answered] = [once(unused.resume(), "close"), once(used, "data")];
    await new Promise((sent) => used.write("GET /api/v2/say?text=a HTTP/1.1\r\nHost: x\r\n\r\n", sent));
    await server.close();
    await ended;
    expect(readRaw(String((await answered)[0])).status).toBe(200);
    used.destroy();
  });
});
