import { isCoded } from "../../lib/errors.ts";
import { formatJson, type JsonInput, parseJson } from "../../lib/json.ts";
import type { Args } from "../../lib/kit/arg.ts";
import type { WireArgs } from "../declare/endpoint.ts";
import { ApiError } from "../declare/errors.ts";
import type { V2Endpoint } from "../v2/list.ts";
import { addContract } from "./addContract.ts";
import type { ContractOpener } from "./contract/TypedContract.ts";
import { type ClientOptions, keyHeader } from "./light/ClientOptions.ts";
import { bareNames, v2Names } from "./verify/clientNames.ts";
import type { ReceiverOptions } from "./verify/TrustOptions.ts";
import type { ReceivedAnswer } from "./verify/Verifier.ts";
import type { OpenVerifier } from "./verify/verifyCalls.ts";

export { ApiError } from "../declare/errors.ts";
export { UnprovedError } from "./verify/UnprovedError.ts";

/** The declaration of an endpoint, as far as callers use it. */
interface Declared {
  readonly name: string;
  readonly args: Args;
  readonly result: { encode(value: never): unknown };
}

/** The arguments of a caller; optional if none is required. */
type Given<E extends Declared> =
  Record<string, never> extends WireArgs<E["args"]>
    ? [args?: WireArgs<E["args"]>, options?: CallOptions]
    : [args: WireArgs<E["args"]>, options?: CallOptions];

type Answer<E extends Declared> = ReturnType<E["result"]["encode"]>;

/** One method for each endpoint, with its arguments and the JSON of its result. */
export type ClientOf<E extends Declared> = {
  readonly [Name in E["name"]]: (
    ...given: Given<Extract<E, { readonly name: Name }>>
  ) => Promise<Answer<Extract<E, { readonly name: Name }>>>;
};

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface V2ClientOptions extends ClientOptions {
  /** Checks every answer against a trusted block, so that a server cannot lie; `UnprovedError` says why it fails. */
  readonly verify?: ReceiverOptions;
}

export type Client = ClientOf<V2Endpoint> & ContractOpener;

/**
 * A v2 client whose methods are typed from the server's own declarations. An error answer throws ApiError "api/refused"
 * with the server's text and, in `data`, its status and the URL; "api/unreachable" means that there was no answer, with
 * the cause. Integers above 2^53 - 1 in answers are bigints. `baseUrl` ends before the method's name: `…/api/v2`. The
 * client itself is inert: printing, awaiting or probing it sends nothing. With `verify` a method resolves only with
 * what was proved here.
 */
export function createClient(baseUrl: string, options: V2ClientOptions = {}): Client {
  const base = baseUrl.replace(/\/+$/, "");
  const { verify } = options;
  const askPlain = async (name: string, args: JsonInput = {}, call?: CallOptions) =>
    bareNames.includes(name)
      ? askBare(base, name, options, call)
      : (await askServer(base, name, args, options, call)).result;
  const askProved = verify && makeProver(verify, (name, args, call) => askServer(base, name, args, options, call));
  const ask = (name: string) => (args?: JsonInput, call?: CallOptions) => (askProved ?? askPlain)(name, args, call);
  // Every declared name is bound to its own request.
  return addContract(makeInert(v2Names, ask), {
    form: "pairs",
    ask: (name, args, call) => ask(name)(args, call),
  }) as Client;
}

type AskEnvelope = (name: string, args: JsonInput, call?: CallOptions) => Promise<ReceivedAnswer>;

/** Asks for proofs and checks them; the checks are loaded with the first call. */
function makeProver(options: ReceiverOptions, askEnvelope: AskEnvelope) {
  let verifier: Promise<OpenVerifier> | undefined;
  return async (name: string, args: JsonInput = {}, call?: CallOptions) => {
    verifier ??= import("./verify/openVerifier.ts").then(({ openVerifier }) => openVerifier(options));
    return (await verifier).ask(name, args, (given) => askEnvelope(name, given, call), call?.signal);
  };
}

/** An object with a method for each name and no other properties, none of them listed. */
export function makeInert(names: readonly string[], method: (name: string) => unknown): object {
  const client: object = {};
  for (const name of names) Object.defineProperty(client, name, { value: method(name), configurable: true });
  return client;
}

async function askServer(
  base: string,
  method: string,
  params: JsonInput,
  { apiKey, fetch = globalThis.fetch }: ClientOptions,
  { signal }: CallOptions = {},
): Promise<ReceivedAnswer> {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", ...keyHeader(apiKey) },
    body: formatJson({ jsonrpc: "2.0", id: "1", method, params }),
    ...(signal === undefined ? {} : { signal }),
  };
  const asked = { name: method, url: `${base}/jsonRPC` };
  const { status, text } = await send(() => fetch(asked.url, request), asked);
  const envelope = readEnvelope(text, status, asked);
  if (envelope.ok !== true) throw refusal(asked, status, envelope.error);
  return { result: envelope.result, proof: envelope.proof };
}

/** Asks with GET for an answer without envelope; only errors have one. */
async function askBare(
  base: string,
  name: string,
  { apiKey, fetch = globalThis.fetch }: ClientOptions,
  { signal }: CallOptions = {},
): Promise<unknown> {
  const asked = { name, url: `${base}/${name}` };
  const request = { headers: keyHeader(apiKey), ...(signal === undefined ? {} : { signal }) };
  const { status, text } = await send(() => fetch(asked.url, request), asked);
  const answer = readJson(text, status, asked);
  if (status !== 200) throw refusal(asked, status, Object(answer).error);
  return answer;
}

/** The error of an answer that refuses. */
export function refusal({ name, url }: Asked, status: number, error: unknown): ApiError {
  const reason = String(error ?? `status ${status}`);
  return new ApiError("api/refused", `${name}: ${reason}`, { data: { status, error: reason, url } });
}

/** The request, for its error message. */
export interface Asked {
  readonly name: string;
  readonly url: string;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Sends one request; "api/unreachable" when there is no answer. */
export async function send(work: () => Promise<Response>, { name, url }: Asked): Promise<Answered> {
  try {
    const response = await work();
    return { status: response.status, text: await response.text(), headers: response.headers };
  } catch (cause) {
    throw new ApiError("api/unreachable", `${name}: no answer: ${cause}`, { data: { url }, cause });
  }
}

/** The JSON object of an answer; "api/unreachable" for anything else. */
export function readEnvelope(text: string, status: number, asked: Asked): Readonly<Record<string, unknown>> {
  return Object(readJson(text, status, asked));
}

function readJson(text: string, status: number, { name, url }: Asked): unknown {
  try {
    return parseJson(text, { maxDepth: 2048, maxLength: 2 ** 28 });
  } catch (cause) {
    const seen = `status ${status}, ${JSON.stringify(text.slice(0, 100))}`;
    throw isCoded(cause)
      ? new ApiError("api/unreachable", `${name}: no such interface there: ${seen}`, { data: { url }, cause })
      : cause;
  }
}
