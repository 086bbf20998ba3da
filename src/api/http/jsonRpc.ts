import { isCoded } from "../../lib/errors.ts";
import { formatJson, type JsonValue } from "../../lib/json.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { ApiError } from "../declare/errors.ts";
import { findProperties, parseBody, type RequestArgs } from "../declare/requestArgs.ts";

/** JSON-RPC is one of its own methods, as in the reference: its params are the request. */
export const rpcName = "jsonRPC";

/** The largest number of requests in a batch. */
export const maxBatch = 100;

/** One JSON-RPC request: its call or its error, and the echoed values. */
export interface RpcItem {
  readonly asked:
    | { readonly kind: "call"; readonly method: string; readonly params: RequestArgs }
    | { readonly kind: "refused"; readonly error: ApiError };
  /** `jsonrpc` and `id` as echoed in the answer's envelope. */
  readonly echo: string;
}

export type RpcBody =
  | { readonly kind: "single"; readonly item: RpcItem }
  | { readonly kind: "batch"; readonly items: readonly RpcItem[] };

/** Parses a JSON-RPC body; throws "api/rpc" for one without a request. */
export function* readRpc(text: string): Steps<RpcBody> {
  const body = yield* parseRpcJson(text);
  if (!isList(body)) return { kind: "single", item: readItem(body) };
  if (body.length === 0 || body.length > maxBatch)
    throw new ApiError("api/rpc", `a batch must have 1 to ${maxBatch} requests, not ${body.length}`);
  return { kind: "batch", items: body.map(readItem) };
}

function* parseRpcJson(text: string): Steps<JsonValue> {
  try {
    return yield* parseBody(text);
  } catch (cause) {
    throw isCoded(cause) ? new ApiError("api/rpc", cause.message, { cause }) : cause;
  }
}

function readItem(value: JsonValue): RpcItem {
  const request = findProperties(value);
  if (request === undefined) return { asked: refused("a request must be an object"), echo: "" };
  return { asked: readCall(request), echo: echoOf(request) };
}

function readCall(request: RequestArgs): RpcItem["asked"] {
  let inner = request;
  while (true) {
    const { method } = inner;
    if (typeof method !== "string")
      return refused(method === undefined ? "method is missing" : "method must be a string");
    const params = readParams(inner.params);
    if (params === undefined) return refused("params must contain an object");
    if (method !== rpcName) return { kind: "call", method, params };
    inner = params;
  }
}

function refused(text: string): RpcItem["asked"] {
  return { kind: "refused", error: new ApiError("api/rpc", text) };
}

/** `id` as given; the version is always ours. */
function echoOf(request: RequestArgs): string {
  const version = Object.hasOwn(request, "jsonrpc") ? ',"jsonrpc":"2.0"' : "";
  // Everything in a parsed body is JSON.
  return Object.hasOwn(request, "id") ? `${version},"id":${formatJson(request.id as JsonValue)}` : version;
}

/** Scalars and an empty list count as no parameters; a non-empty list has no names. */
function readParams(value: unknown): RequestArgs | undefined {
  if (typeof value !== "object" || value === null) return {};
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return value as RequestArgs;
}

/** `Array.isArray` does not narrow a readonly list out of a union. */
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
