import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { McpServer, readMessage, type ToolAnswer } from "../../../src/api/mcp/McpServer.ts";
import { listOperations } from "../../../src/api/mcp/tools.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";

const versions = [
  { ...v2Api, operations: () => listOperations(v2Api) },
  { ...v3Api, operations: () => listOperations(v3Api) },
];

function open(send: (path: string, signal: AbortSignal) => Promise<ToolAnswer>): McpServer {
  return new McpServer({
    ...{ version: "1.2.3", versions, isLocal: false },
    send: ({ path, method, body }, signal) => send(`${method} ${path} ${body ?? ""}`.trim(), signal),
  });
}

const answerOf = (text: string, status = 200): ToolAnswer => ({
  ...{ status, next: undefined },
  body: Readable.from([Buffer.from(text)]),
});
const echoing = open((text) => Promise.resolve(answerOf(text)));

async function ask(server: McpServer, message: unknown): Promise<unknown> {
  const answer = await server.answer(
    runAtOnce(readMessage(typeof message === "string" ? message : JSON.stringify(message))),
  );
  return answer === undefined ? undefined : JSON.parse(answer);
}

const call = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});
const failure = (id: number | null, code: number, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

describe("McpServer", () => {
  it.each([
    ["2024-11-05", "2024-11-05"],
    ["2025-06-18", "2025-06-18"],
    ["1999-01-01", "2025-06-18"],
  ])("speaks revision %s as %s", async (protocolVersion, spoken) => {
    const message = { jsonrpc: "2.0", id: "a", method: "initialize", params: { protocolVersion } };
    expect(await ask(echoing, message)).toEqual({
      jsonrpc: "2.0",
      id: "a",
      result: {
        protocolVersion: spoken,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: "tongate", title: "Tongate", version: "1.2.3" },
        instructions: expect.stringContaining("nanocoins"),
      },
    });
  });

  it.each<[given: unknown, answer: unknown]>([
    ["{", failure(null, -32_700, "not JSON")],
    ["5", failure(null, -32_600, "not a request of JSON-RPC 2.0")],
    [{ id: {}, method: "ping" }, failure(null, -32_600, "not a request of JSON-RPC 2.0")],
    [{ id: 7, method: 5 }, failure(7, -32_600, "not a request of JSON-RPC 2.0")],
    [{ id: 7, method: "constructor" }, failure(7, -32_601, "unknown method constructor")],
    [{ id: 7, method: "tools/call", params: null }, failure(7, -32_602, "unknown tool undefined")],
    [
      { id: 7, method: "resources/read", params: { uri: "file:///etc/passwd" } },
      failure(7, -32_602, "unknown resource file:///etc/passwd"),
    ],
    [
      { id: 7, method: "ping" },
      { jsonrpc: "2.0", id: 7, result: {} },
    ],
    [{ method: "notifications/initialized" }, undefined],
    [{ id: 7, result: {} }, undefined],
  ])("answers %j", async (given, answer) => {
    expect(await ask(echoing, given)).toEqual(answer);
  });

  it("sends arguments in the body or the query of the operation", async () => {
    const sent = async (name: string, args: object) =>
      Object(await ask(echoing, call(name, args))).result.content[0].text;
    expect(await sent("v2_getAddressBalance", { address: "A" })).toBe('POST /api/v2/getAddressBalance {"address":"A"}');
    expect(await sent("v3_transactions", { account: ["A", "B"], limit: 5 })).toBe(
      "GET /api/v3/transactions?account=A&account=B&limit=5",
    );
  });

  it("keeps all digits of a number", async () => {
    const text = JSON.stringify(call("v2_runGetMethod", { stack: [["num", "N"]] })).replace(
      '"N"',
      "123456789012345678901",
    );
    expect(Object(await ask(echoing, text)).result.content[0].text).toBe(
      'POST /api/v2/runGetMethod {"stack":[["num",123456789012345678901]]}',
    );
    const listed = JSON.stringify(call("v3_transactions", { lt: "N" })).replace('"N"', "12345678901234567890");
    expect(Object(await ask(echoing, listed)).result.content[0].text).toBe(
      "GET /api/v3/transactions?lt=12345678901234567890",
    );
  });

  it("reads a message of many values in many steps, and none that is deep", async () => {
    const steps = readMessage(JSON.stringify(call("v2_runGetMethod", { stack: Array(200_000).fill([]) })));
    let count = 1;
    for (let step = steps.next(); step.done !== true; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(10);
    expect(await ask(echoing, "[".repeat(300_000))).toEqual(failure(null, -32_700, "not JSON"));
    expect(await ask(echoing, `${"[".repeat(65)}${"]".repeat(65)}`)).toEqual(failure(null, -32_700, "not JSON"));
  });

  it("has no tool that sends something to a network that is not local", async () => {
    const { result } = Object(await ask(echoing, { id: 1, method: "tools/list" }));
    const names: string[] = result.tools.map(({ name }: { readonly name: string }) => name);
    expect(names.filter((name) => /send|_message$/i.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(["v2_runGetMethod", "v2_estimateFee", "v3_messages"]));
  });

  it("refuses an answer that is too long for a model, and passes on failures", async () => {
    let pieces = 0;
    async function* endless(): AsyncGenerator<Uint8Array, void, void> {
      for (; ; pieces++) yield Buffer.alloc(1_000, "x");
    }
    const long = open(() => Promise.resolve({ status: 200, body: endless(), next: undefined }));
    const { result } = Object(await ask(long, call("v3_blocks", {})));
    expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining("ask for less")]);
    expect(pieces).toBe(200);
    const whole = open(() => Promise.resolve(answerOf("é".repeat(100_000))));
    expect(Object(await ask(whole, call("v3_blocks", {}))).result.content[0].text).toBe("é".repeat(100_000));
    const broken = open(() => Promise.reject(new TypeError("secret")));
    expect(await ask(broken, call("v3_blocks", {}))).toEqual(failure(1, -32_603, "internal error"));
  });

  it("ends a call that is cancelled, without an answer", async () => {
    const server = open((_text, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", reject)));
    const answer = ask(server, call("v3_blocks", {}));
    await ask(server, { method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await answer).toBeUndefined();
  });
});
