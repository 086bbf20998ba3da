import { isCoded } from "../../lib/errors.ts";
import { type JsonValue, parseJsonInSteps } from "../../lib/json.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import type { McpTool, ToolOperation, ToolRequest } from "./tools.ts";

/** Revisions of the protocol that are spoken, newest first. */
const revisions = ["2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** Models have little room: a longer answer is refused with advice. */
const maxAnswerBytes = 200_000;
/** A description of an API version is read whole, by programs. */
const maxDocumentBytes = 8 << 20;

/** An API version whose operations are tools. */
export interface McpVersion {
  readonly name: string;
  readonly title: string;
  readonly base: string;
  readonly operations: () => readonly ToolOperation[];
}

/** An answer of the server whose operations are the tools. */
export interface ToolAnswer {
  readonly status: number;
  /** The body, as it comes: who leaves it before its end ends the request. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

export interface McpModules {
  readonly version: string;
  readonly versions: readonly McpVersion[];
  /** Whether the network is a local one; only there are tools that send or change something. */
  readonly isLocal: boolean;
  readonly send: (request: ToolRequest, signal: AbortSignal) => Promise<ToolAnswer>;
}

const about =
  "Tools of v2 ask the TON blockchain about its present state; those of v3 ask an index about history, traces, actions, " +
  "jettons, NFTs and domains. Addresses are accepted in every usual form. Amounts are in nanocoins: 1 coin is 10^9. " +
  "Lists have limit; a longer list goes on with cursor.";
const aboutLocal =
  "This network is a local one for development: its tools give coins, move time, write accounts and send messages.";

type Json = Readonly<Record<string, unknown>>;
type RequestId = string | number;
type Method = (params: Json, signal: AbortSignal) => Json | RpcFailure | Promise<Json | RpcFailure>;

/** Errors of JSON-RPC. */
const rpcCodes = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, internal: -32_603 } as const;

/** What is answered instead of a result. */
interface RpcFailure {
  readonly failure: keyof typeof rpcCodes;
  readonly message: string;
}

const refuse = (failure: RpcFailure["failure"], message: string): RpcFailure => ({ failure, message });

/** Arguments of operations are never deep. */
const maxMessageDepth = 64;

/** The JSON of a message; `undefined` for a text that is none. Whoever serves others reads it between their turns. */
export function* readMessage(text: string): Steps<JsonValue | undefined> {
  try {
    return yield* parseJsonInSteps(text, { maxDepth: maxMessageDepth });
  } catch {
    return undefined;
  }
}

/** The server's side of the Model Context Protocol, without its transport: messages in, answers out. */
export class McpServer {
  readonly #modules: McpModules;
  readonly #running = new Map<RequestId, AbortController>();
  readonly #methods: Readonly<Record<string, Method>> = {
    initialize: (params) => this.#initialize(params),
    ping: () => ({}),
    "tools/list": () => ({ tools: this.#tools() }),
    "tools/call": (params, signal) => this.#call(params, signal),
    "resources/list": () => ({ resources: this.#modules.versions.map(documentOf) }),
    "resources/templates/list": () => ({ resourceTemplates: [] }),
    "resources/read": (params, signal) => this.#read(params, signal),
  };

  constructor(modules: McpModules) {
    this.#modules = modules;
  }

  /** The tools by name. */
  get #operations(): ReadonlyMap<string, ToolOperation> {
    const { versions, isLocal } = this.#modules;
    const all = versions.flatMap(({ operations }) => operations());
    return new Map(all.filter(({ isWrite }) => isLocal || !isWrite).map((each) => [each.tool.name, each]));
  }

  /** Answers what `readMessage` gave; `undefined` for messages that have no answer. */
  async answer(read: JsonValue | undefined): Promise<string | undefined> {
    if (read === undefined) return formatFailure(null, refuse("parse", "not JSON"));
    const message: Json = Object(read);
    const { id, method, params } = message;
    if (typeof method !== "string") return "result" in message || "error" in message ? undefined : refuseWhole(id);
    if (id === undefined || id === null) {
      if (method === "notifications/cancelled") this.#running.get(Object(params).requestId)?.abort();
      return undefined;
    }
    return typeof id === "string" || typeof id === "number" ? this.#run(id, method, Object(params)) : refuseWhole(null);
  }

  /** Ends all calls. */
  close(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  async #run(id: RequestId, method: string, params: Json): Promise<string | undefined> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(id, controller);
    const run = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    const unknown = () => refuse("method", `unknown method ${method.slice(0, 100)}`);
    const outcome = await Promise.resolve((run ?? unknown)(params, signal)).catch(failureOf);
    this.#running.delete(id);
    // A cancelled request has no answer.
    if (signal.aborted) return undefined;
    return "failure" in outcome
      ? formatFailure(id, outcome as RpcFailure)
      : JSON.stringify({ jsonrpc: "2.0", id, result: outcome });
  }

  #initialize({ protocolVersion }: Json): Json {
    const { version, isLocal } = this.#modules;
    return {
      protocolVersion: revisions.find((each) => each === protocolVersion) ?? revisions[0],
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: "tongate", title: "Tongate", version },
      instructions: isLocal ? `${about} ${aboutLocal}` : about,
    };
  }

  #tools(): readonly McpTool[] {
    return Array.from(this.#operations.values(), ({ tool }) => tool);
  }

  async #call({ name, arguments: args }: Json, signal: AbortSignal): Promise<Json | RpcFailure> {
    const operation = this.#operations.get(String(name));
    if (operation === undefined) return refuse("params", `unknown tool ${String(name).slice(0, 100)}`);
    try {
      return await toolResult(await this.#modules.send(operation.request(Object(args)), signal));
    } catch (error) {
      if (!isCoded(error)) throw error;
      return failed(error.message);
    }
  }

  async #read({ uri }: Json, signal: AbortSignal): Promise<Json | RpcFailure> {
    const version = this.#modules.versions.find((each) => documentOf(each).uri === uri);
    if (version === undefined) return refuse("params", `unknown resource ${String(uri).slice(0, 200)}`);
    const { mimeType } = documentOf(version);
    const { status, body } = await this.#modules.send({ method: "GET", path: pathOf(version) }, signal);
    const { text, isWhole } = await readAtMost(body, maxDocumentBytes);
    return status === 200 && isWhole ? { contents: [{ uri, mimeType, text }] } : refuse("internal", `status ${status}`);
  }
}

const pathOf = ({ base }: McpVersion) => `${base}/openapi.json`;

/** The description of an API version, which a model may read. */
function documentOf(version: McpVersion) {
  const { name, title } = version;
  return {
    uri: `tongate:${pathOf(version)}`,
    name: `openapi-${name}`,
    description: `${title}: every operation with its arguments and answers, as OpenAPI`,
    mimeType: "application/json",
  };
}

async function toolResult({ status, body, next }: ToolAnswer): Promise<Json> {
  const { text, isWhole } = await readAtMost(body, maxAnswerBytes);
  if (status !== 200) return failed(`status ${status}: ${text.slice(0, 2_000)}`);
  if (!isWhole)
    return failed(`the answer has more than ${maxAnswerBytes} bytes: ask for less, such as a smaller limit`);
  const more = next === undefined ? [] : [textOf(`There are more: give this as cursor for the next page: ${next}`)];
  return { content: [textOf(text), ...more] };
}

/** Reads a body no further than it may be long. */
async function readAtMost(body: AsyncIterable<Uint8Array>, maxBytes: number) {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const bytes of body) {
    length += bytes.length;
    if (length > maxBytes) return { text, isWhole: false };
    text += decoder.decode(bytes, { stream: true });
  }
  return { text: text + decoder.decode(), isWhole: true };
}

const textOf = (text: string) => ({ type: "text", text });
const failed = (text: string) => ({ content: [textOf(text)], isError: true });

function refuseWhole(id: unknown): string {
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  return formatFailure(known, refuse("request", "not a request of JSON-RPC 2.0"));
}

function failureOf(error: unknown): RpcFailure {
  return refuse("internal", isCoded(error) ? error.message : "internal error");
}

function formatFailure(id: RequestId | null, { failure, message }: RpcFailure): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: rpcCodes[failure], message } });
}
