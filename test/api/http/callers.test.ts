import { afterEach, describe, expect, it } from "vitest";
import type { AccessControl } from "../../../src/api/access/Gatekeeper.ts";
import type { Caller } from "../../../src/api/declare/Caller.ts";
import { openLog } from "../../../src/lib/log.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { openApiServer, type TestServer, type TestServerOptions } from "../../kit/api/apiServer.ts";
import { type FrameServices, frameApi } from "../../kit/api/frameEndpoints.ts";
import { deferred } from "../../kit/suite/deferred.ts";

/** A key is its owner's name; callers without a key are not distinguished by address. */
const access: AccessControl = {
  admit: (secret): Caller =>
    secret === undefined
      ? { kind: "keyless", address: "192.0.2.1" }
      : { kind: "key", owner: secret, keyName: secret, plan: "free" },
  charge: (caller) => caller,
  addWeight: () => {},
};

const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.destroy()));
});

async function open(answer: FrameServices["answer"], options: TestServerOptions = {}): Promise<TestServer> {
  const server = await openApiServer(frameApi, { answer }, { access, ...options });
  servers.push(server);
  return server;
}

function ask(server: TestServer, path: string, key?: string): Promise<Response> {
  return fetch(`${server.origin}/api/v2/${path}`, key === undefined ? {} : { headers: { "x-api-key": key } });
}

describe("answers of private lite servers", () => {
  it.each(["sayOfHead?text=a", "sayForEver?text=a&seqno=1"])(
    "never reach callers without a key, however they are cached: %s",
    async (path) => {
      const server = await open(async (_args, { caller }) => caller.kind);
      const said = async (key?: string) => Object(await (await ask(server, path, key)).json()).result;
      expect([await said("alice"), await said(), await said("bob"), await said()]).toEqual([
        "key",
        "keyless",
        "key",
        "keyless",
      ]);
    },
  );

  it("are not taken from the memo of the same JSON-RPC body", async () => {
    const server = await open(async (_args, { caller }) => caller.kind);
    const body = JSON.stringify({ method: "sayOfHead", params: { text: "b" } });
    const said = async (headers: Record<string, string>) => {
      const response = await fetch(`${server.origin}/api/v2/jsonRPC`, { method: "POST", headers, body });
      return Object(await response.json()).result;
    };
    const key = { "x-api-key": "alice" };
    expect([await said(key), await said(key), await said({}), await said({})]).toEqual([
      "key",
      "key",
      "keyless",
      "keyless",
    ]);
  });
});

describe("work of one caller", () => {
  it("is limited without blocking others", async () => {
    const free = deferred();
    const server = await open(
      async ({ text }) => {
        await free.promise;
        return text;
      },
      { maxWaitingPerCaller: 2 },
    );
    const first = [ask(server, "say?text=1", "alice"), ask(server, "say?text=2", "alice")];
    await expect.poll(async () => (await server.metricsText()).match(/tongate_v2_waiting (\d+)/)?.[1]).toBe("2");
    const refused = await ask(server, "say?text=3", "alice");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(Object(await refused.json()).error).toBe("too many concurrent requests of one caller (limit 2)");
    const others = [ask(server, "say?text=4", "bob"), ask(server, "say?text=5")];
    free.resolve();
    expect((await Promise.all([...first, ...others])).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await ask(server, "say?text=6", "alice")).status).toBe(200);
  });
});

describe("a request that a lite server refuses", () => {
  it.each([
    [new LiteError("lite/server", "not in db", { data: { serverCode: 651 } }), "info"],
    [new LiteError("lite/server", "bad request", { data: { serverCode: -400 } }), "info"],
    [new LiteError("lite/server", "timeout", { data: { serverCode: 652 } }), "warn"],
    [new LiteError("lite/lost", "gone"), "warn"],
  ])("is logged by the side at fault: %s", async (error, level) => {
    const lines: string[] = [];
    const log = openLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
    const server = await open(() => Promise.reject(error), { log });
    await ask(server, "say?text=a");
    expect(lines.map((line) => Object(JSON.parse(line)).level)).toEqual([level]);
  });
});
