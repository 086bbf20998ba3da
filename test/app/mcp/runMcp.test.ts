import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileApp } from "../../../kit/suite/compiledApp.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";

let service: StartedService;
let client: Client;

beforeAll(async () => {
  service = await startService({});
});

afterAll(() => service?.close());

async function openTransport(kind: "stdio" | "http"): Promise<Transport> {
  // The kit's types do not know exactOptionalPropertyTypes.
  if (kind === "http") return new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`)) as Transport;
  const { cli } = await compileApp();
  return new StdioClientTransport({ command: process.execPath, args: [cli, "mcp", "--url", service.origin] });
}

/** The JSON that a tool answers. */
async function call(name: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content as readonly { readonly text: string }[];
  expect([name, isError ?? false, isError === true ? first?.text : ""]).toEqual([name, false, ""]);
  return JSON.parse(first?.text ?? "");
}

describe.each(["stdio", "http"] as const)("an assistant, by the client of the protocol's own kit over %s", (kind) => {
  beforeAll(async () => {
    client = new Client({ name: "test", version: "1" });
    await client.connect(await openTransport(kind));
  });

  afterAll(() => client?.close());

  it("finds the operations of all interfaces, and those that control a local network", async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(names.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
    const wanted = ["v2_getAddressInformation", "v2_sendBoc", "v3_jetton_transfers", "emulate_emulateTrace"];
    expect(names).toEqual(expect.arrayContaining([...wanted, "localnet_faucet", "localnet_setBalance"]));
    expect(names.filter((name) => name.includes("acton"))).toEqual([]);
    const described = tools.filter(
      ({ description, inputSchema }) => description !== "" && inputSchema.type === "object",
    );
    expect(described.length).toBe(tools.length);
    const byName = new Map(tools.map((tool) => [tool.name, tool.annotations?.readOnlyHint]));
    expect(["v2_sendBoc", "localnet_faucet", "localnet_time", "v3_actions"].map((name) => byName.get(name))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(client.getInstructions()).toContain("local one for development");
  });

  it("looks up, runs methods and drives the network", async () => {
    const address = `0:${(kind === "http" ? "7" : "8").repeat(64)}`;
    await call("localnet_faucet", { address, amount: "3" });
    const balance = async () => Object(await call("v2_getAddressBalance", { address })).result;
    const wait = { timeout: 300_000 };
    await expect.poll(balance, wait).toBe("3000000000");
    const run = { address: service.wallet("v4r2").address, method: "seqno", stack: [] };
    expect(Object(await call("v2_runGetMethod", run)).result.exit_code).toBe(0);
    const count = async () => Object(await call("v3_transactions", { account: [address] })).transactions.length;
    await expect.poll(count, wait).toBe(1);
  });

  it("gets the cursor of the next page, and the text of a refusal", async () => {
    const { content } = await client.callTool({ name: "v3_blocks", arguments: { limit: 1 } });
    const [, more] = content as readonly { readonly text: string }[];
    const cursor = more?.text.split(": ").at(-1);
    const [next] = Object(await call("v3_blocks", { limit: 1, cursor })).blocks;
    const [first] = Object(await call("v3_blocks", { limit: 1 })).blocks;
    expect(BigInt(next.start_lt)).toBeLessThanOrEqual(BigInt(first.start_lt));
    const refused = await client.callTool({ name: "v2_getAddressBalance", arguments: { address: "nobody" } });
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([true, expect.stringContaining("status 422")]);
    await expect(client.callTool({ name: "v2_nothing", arguments: {} })).rejects.toThrow("unknown tool v2_nothing");
  });

  it("reads the documents of the interfaces", async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(
      ["v2", "v3", "emulate", "localnet"].map((each) => `openapi-${each}`),
    );
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? "" });
    expect(Object(JSON.parse(String(Object(contents[0]).text))).openapi).toBe("3.1.0");
  });
});

it("refuses controls that the page of another site asks for", async () => {
  const params = { name: "localnet_faucet", arguments: { address: `0:${"9".repeat(64)}`, amount: "1" } };
  const answer = await fetch(`${service.origin}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://elsewhere.example" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const { result } = Object(await answer.json());
  expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining("status 403")]);
  expect((await fetch(`${service.origin}/mcp`)).status).toBe(405);
});
