import { Readable } from "node:stream";
import { emulateApi } from "../../api/emulate/envelope.ts";
import { makeLocalApi } from "../../api/local/localVersion.ts";
import { McpServer, type McpVersion, readMessage, type ToolAnswer } from "../../api/mcp/McpServer.ts";
import { listOperations, type ToolOperation, type ToolRequest } from "../../api/mcp/tools.ts";
import { v2Api } from "../../api/v2/envelope.ts";
import { v3Api } from "../../api/v3/envelope.ts";
import { runAtOnce } from "../../lib/sharing/steps.ts";
import type { Terminal } from "../Command.ts";
import { reach, sendRequest } from "../client/requestServer.ts";
import { AppError } from "../errors.ts";
import { readPackageFacts } from "../packageFacts.ts";

/** A message with arguments is short; a longer line is no message. */
const maxLineLength = 4 << 20;

export interface McpOptions {
  /** The server whose operations are the tools. */
  readonly origin: string;
  readonly apiKey: string | undefined;
}

/** Speaks the Model Context Protocol over lines of standard input and output until the input ends. */
export async function runMcp(options: McpOptions, input: Readable, terminal: Terminal): Promise<void> {
  const server = await openMcp(options);
  const answering = new Set<Promise<void>>();
  for await (const line of readLines(input)) {
    const one = server.answer(runAtOnce(readMessage(line))).then((answer) => {
      if (answer !== undefined) terminal.write(`${answer}\n`);
      answering.delete(one);
    });
    answering.add(one);
  }
  await Promise.all(answering);
}

async function openMcp({ origin, apiKey }: McpOptions): Promise<McpServer> {
  const headers: Readonly<Record<string, string>> = apiKey === undefined ? {} : { "x-api-key": apiKey };
  const ask = async ({ path, method, body }: ToolRequest, signal: AbortSignal): Promise<ToolAnswer> => {
    const content = body === undefined ? {} : { body };
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const response = await reach(`${origin}${path}`, { method, headers: { ...headers, ...json }, ...content, signal });
    const next = response.headers.get("x-next-cursor") ?? undefined;
    return { status: response.status, body: response.body ?? Readable.from([]), next };
  };
  const isLocal = (await sendRequest(`${origin}/localnet/time`, { headers })).status === 200;
  const versions = [
    ...[v2Api, v3Api, emulateApi].map((each) => withOperations(each, listOperations(each))),
    ...(isLocal ? [makeLocalApi("loopback")] : []).map((each) => withOperations(each, listOperations(each))),
  ];
  return new McpServer({ version: readPackageFacts().version, versions, isLocal, send: ask });
}

function withOperations({ name, title, base }: Omit<McpVersion, "operations">, operations: readonly ToolOperation[]) {
  return { name, title, base, operations: () => operations };
}

async function* readLines(input: Readable): AsyncGenerator<string, void, void> {
  let rest = "";
  input.setEncoding("utf8");
  for await (const chunk of input) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > maxLineLength)
      throw new AppError("app/usage", `a message has more than ${maxLineLength} characters`);
    for (const line of lines) if (line.trim() !== "") yield line;
  }
  if (rest.trim() !== "") yield rest;
}
