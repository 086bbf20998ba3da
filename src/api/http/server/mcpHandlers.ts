import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { isCoded } from "../../../lib/errors.ts";
import { firstOf, parseQuery } from "../../declare/requestArgs.ts";
import { type McpModules, McpServer, type McpVersion, readMessage, type ToolAnswer } from "../../mcp/McpServer.ts";
import type { ToolRequest } from "../../mcp/tools.ts";
import { readBody, readInTurns } from "../readBody.ts";
import type { ServedVersion } from "../ServedVersion.ts";

/** Arguments of a tool are those of a request, whose bodies have the same limit. */
const maxBodyBytes = 1 << 20;
/** What a tool's request has of the request for the tool: who asks, and from where. */
const passedHeaders = ["host", "origin", "x-api-key", "authorization", "x-forwarded-for", "forwarded"] as const;

/** A request that the server sends to itself. */
interface InnerRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
  readonly remoteAddress: string;
  readonly signal: AbortSignal;
  /** The answer is given when its head is there, and its body comes as it is read. */
  readonly payloadAsStream: true;
}

interface InnerAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  stream(): Readable;
}

/**
 * The operations of a server as tools of assistants, by the Model Context Protocol over HTTP: one message and its
 * answer a request, without sessions. A tool's request goes through the same doors as one over HTTP: `inject` is its
 * way.
 */
export function mcpHandlers(
  served: readonly (McpVersion & Pick<ServedVersion, "version">)[],
  inject: (request: InnerRequest) => Promise<InnerAnswer>,
) {
  const versions = served.filter(({ name }) => name !== "v4" && name !== "lite");
  const version = versions[0]?.version ?? "";
  const isLocal = versions.some(({ name }) => name === "localnet");
  return {
    post: (request: IncomingMessage, response: ServerResponse): void => {
      const send = async (asked: ToolRequest, signal: AbortSignal) => {
        const left = new AbortController();
        const ends = AbortSignal.any([signal, left.signal]);
        const answer = await inject({ ...innerRequest(request, asked), signal: ends, payloadAsStream: true });
        const body = answer.stream();
        body.once("close", () => left.abort());
        return toolAnswer(answer, body);
      };
      answerPost({ version, versions, isLocal, send }, request, response).catch((error: unknown) => {
        if (isCoded(error, "api/body-size")) reply(response, 413, error.message);
        else response.destroy();
      });
    },
    other: (_request: IncomingMessage, response: ServerResponse): void => {
      response.setHeader("Allow", "POST");
      reply(response, 405, "there are no sessions and no streams: send each message by POST");
    },
  };
}

async function answerPost(modules: McpModules, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const server = new McpServer(modules);
  response.once("close", () => server.close());
  const answer = await server.answer(await readInTurns(readMessage(await readBody(request, maxBodyBytes))));
  if (answer === undefined) response.writeHead(202).end();
  else response.writeHead(200, { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff" }).end(answer);
}

function innerRequest(
  from: IncomingMessage,
  { method, path, body }: ToolRequest,
): Omit<InnerRequest, "signal" | "payloadAsStream"> {
  const key = firstOf(parseQuery(from.url?.split("?")[1] ?? ""), "api_key");
  const headers = passedHeaders.flatMap((name): [string, string][] => {
    const value = from.headers[name] ?? (name === "x-api-key" ? key : undefined);
    return value === undefined ? [] : [[name, String(value)]];
  });
  return {
    ...{ method, url: path, remoteAddress: from.socket.remoteAddress ?? "" },
    headers: { ...Object.fromEntries(headers), ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { payload: body }),
  };
}

function toolAnswer({ statusCode, headers }: InnerAnswer, body: Readable): ToolAnswer {
  const next = headers["x-next-cursor"];
  return { status: statusCode, body, next: typeof next === "string" ? next : undefined };
}

function reply(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ error }));
}
