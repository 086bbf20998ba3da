import type { IncomingMessage, ServerResponse } from "node:http";
import { findProperties, parseBody, parseQuery, type QueryParams, type RequestArgs } from "../declare/requestArgs.ts";
import { readBody, readInTurns } from "../http/readBody.ts";
import { admit, refusalOf, revokedReason, watchKey } from "./StreamEntry.ts";
import type { StreamModules } from "./StreamModules.ts";
import { StreamRefusal } from "./StreamRefusal.ts";
import { readSubscription, sseWording } from "./Subscription.ts";
import { SseTransport } from "./transport/SseTransport.ts";
import { closeCodes } from "./transport/Transport.ts";

const maxBodyBytes = 1 << 20;
const keepAliveMs = 5_000;

/** Answers a request for server-sent events until either side ends it. */
export async function serveSse(
  request: IncomingMessage,
  response: ServerResponse,
  modules: StreamModules,
): Promise<void> {
  let id: unknown;
  try {
    const query = parseQuery(/\?(.*)$/s.exec(request.url ?? "")?.[1] ?? "");
    if (modules.hub.isClosing) throw new StreamRefusal(503, "this server is stopping");
    const caller = await admit(request, query, modules);
    const given = request.method === "GET" ? readQuery(query) : await readRequest(request);
    id = given.id;
    const leave = modules.limits.take(caller);
    response.once("close", leave);
    const style = request.method === "GET" ? "plain" : "named";
    await open(request, response, { given, caller, style, isRevoked: watchKey(request, query, modules) }, modules);
  } catch (error) {
    refuse(response, error, id);
  }
}

async function readRequest(request: IncomingMessage): Promise<RequestArgs> {
  const properties = findProperties(await readInTurns(parseBody(await readBody(request, maxBodyBytes))));
  if (properties === undefined) throw new StreamRefusal(400, `${sseWording.malformed}: it must be a JSON object`);
  return properties;
}

const listFields = new Set([
  "types",
  "addresses",
  "trace_external_hash_norms",
  "action_types",
  "supported_action_types",
  "jettons",
  "code_hashes",
]);
const flagFields = new Set([
  ...["include_address_book", "include_metadata", "cursor", "partial", "retract", "replay_existing"],
]);

/** A query says the same as a body: lists by commas or by names that stand there several times. */
function readQuery(query: QueryParams): RequestArgs {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const texts = typeof value === "string" ? [value] : value;
      if (listFields.has(name)) return [name, texts.flatMap((text) => text.split(",")).filter((text) => text !== "")];
      const [first = ""] = texts;
      if (flagFields.has(name)) return [name, first === "1" || first === "true" || first === ""];
      return [name, name === "from_mc_seqno" ? Number(first) : first];
    }),
  );
}

interface Opening {
  readonly given: RequestArgs;
  readonly caller: Parameters<StreamModules["limits"]["of"]>[0];
  readonly style: "named" | "plain";
  readonly isRevoked: () => boolean;
}

async function open(
  request: IncomingMessage,
  response: ServerResponse,
  { given, caller, style, isRevoked }: Opening,
  { hub, limits, mayAskForAll, refuseOutside }: StreamModules,
): Promise<void> {
  const lastId = request.headers["last-event-id"]?.toString();
  const { subscription, beginning } = readSubscription(
    { ...given, ...(lastId !== undefined && lastId !== "" && { after: lastId }) },
    {
      wording: sseWording,
      maxAddresses: limits.of(caller).addresses,
      mayAskForAll: mayAskForAll || limits.of(caller).all,
      headers: request.headers,
      before: undefined,
    },
  );
  await refuseOutside(subscription);
  const { after, replay, existing } = await hub.begin(beginning);
  if (response.destroyed) return;
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
    "Access-Control-Allow-Origin": "*",
  });
  response.on("error", () => response.destroy());
  const transport = new SseTransport(response, style);
  const { connection, leave } = hub.join(transport);
  response.once("close", leave);
  connection.subscribe(subscription, after, replay);
  const cursor = subscription.hasCursor ? connection.cursor() : undefined;
  transport.connected(acknowledge("subscribed", given.id, cursor, replay), cursor);
  let elapsedMs = 0;
  const stop = hub.everySecond(() => {
    if (isRevoked()) return connection.close(closeCodes.policy, revokedReason);
    elapsedMs = (elapsedMs + 1_000) % keepAliveMs;
    if (elapsedMs === 0 && connection.waitingBytes === 0) transport.keepAlive(connection.findProgress());
  });
  response.once("close", stop);
  hub.start(connection, existing);
}

/** The answer to a subscription, which comes before its events. */
export function acknowledge(
  status: string,
  id: unknown,
  cursor?: string,
  replay?: { readonly from: number; readonly to: number },
): string {
  return JSON.stringify({
    ...echoId(id),
    status,
    ...(cursor !== undefined && { cursor }),
    ...(replay !== undefined && {
      replay: {
        from_mc_seqno: replay.from,
        to_mc_seqno: replay.to,
        remaining_blocks: replay.to - replay.from + 1,
      },
    }),
  });
}

const maxIdBytes = 256;

/** The id of a request as its answer repeats it: at most the first 256 bytes. */
export function echoId(id: unknown): { readonly id?: string | number } {
  if (typeof id === "number") return { id };
  if (typeof id !== "string") return {};
  if (id.length * 3 <= maxIdBytes || Buffer.byteLength(id) <= maxIdBytes) return { id };
  // A character that does not fit as a whole is left out.
  const { read } = new TextEncoder().encodeInto(id, new Uint8Array(maxIdBytes));
  return { id: id.slice(0, read) };
}

function refuse(response: ServerResponse, error: unknown, id: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, text } = refusalOf(error);
  const body = JSON.stringify({ ...echoId(id), error: text });
  response.writeHead(status, {
    "Content-Type": "application/json",
    "X-Content-Type-Options": "nosniff",
    "Access-Control-Allow-Origin": "*",
    "Content-Length": Buffer.byteLength(body),
    ...(status === 429 || status === 503 ? { "Retry-After": "1" } : {}),
  });
  response.end(body);
}
