import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import fastify from "fastify";
import { expect, it } from "vitest";
import { mcpHandlers } from "../../../../src/api/http/server/mcpHandlers.ts";
import { listOperations } from "../../../../src/api/mcp/tools.ts";
import { v3Api } from "../../../../src/api/v3/envelope.ts";

/** What a tool answers when the server answers the tool's request like this. */
async function callTool(
  path: string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly isError?: boolean; readonly content: readonly { readonly text: string }[] }> {
  const app = fastify();
  app.get("/api/v3/blocks", (request, reply) => {
    reply.hijack();
    answer(request.raw, reply.raw);
  });
  await app.ready();
  const versions = [{ ...v3Api, version: "1", operations: () => listOperations(v3Api) }];
  const { post } = mcpHandlers(versions, (request) => app.inject(request));
  const server = createServer(post).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Object(server.address());
  const params = { name: "v3_blocks", arguments: {} };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  try {
    return Object(await (await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body })).json()).result;
  } finally {
    server.close();
    await app.close();
  }
}

it("reads an answer no further than a model takes, and ends its request", async () => {
  let [sent, isEnded] = [0, false];
  const { isError, content } = await callTool("/mcp", (_request, response) => {
    response.once("close", () => {
      isEnded = true;
    });
    const write = () => {
      while (!isEnded && response.write(Buffer.alloc(16_384, "x"))) sent += 16_384;
      if (!isEnded) response.once("drain", write);
    };
    response.writeHead(200);
    write();
  });
  expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining("ask for less")]);
  await expect.poll(() => isEnded).toBe(true);
  expect(sent).toBeLessThan(500_000);
});

it("asks with the key of its own request, in a header or in the query", async () => {
  const { content } = await callTool("/mcp?api_key=secret", ({ headers }, response) => {
    response.end(JSON.stringify({ key: headers["x-api-key"] }));
  });
  expect(content).toEqual([{ type: "text", text: '{"key":"secret"}' }]);
});
