import { isCoded } from "../../lib/errors.ts";
import { ApiError } from "../declare/errors.ts";
import type { V3Endpoint } from "../v3/list.ts";
import { addContract } from "./addContract.ts";
import { type Asked, type CallOptions, type ClientOf, makeInert, readEnvelope, send } from "./client.ts";
import type { ContractOpener } from "./contract/TypedContract.ts";
import type { ClientOptions } from "./light/ClientOptions.ts";
import { keyHeader } from "./light/ClientOptions.ts";
import { type SendOptions, sendAndWait } from "./sendAndWait.ts";
import { type CallValues, formatBody, formatQuery } from "./verify/callArgs.ts";
import { postedNames, v3Names } from "./verify/clientNames.ts";
import type { ReceiverOptions } from "./verify/TrustOptions.ts";
import { UnprovedError } from "./verify/UnprovedError.ts";
import type { OpenVerifier } from "./verify/verifyCalls.ts";
import { type WatchEvent, type WatchOptions, type WatchRequest, watchStream } from "./watchStream.ts";

export { ApiError } from "../declare/errors.ts";
export { UnprovedError } from "./verify/UnprovedError.ts";

type PagedName = Extract<V3Endpoint, { readonly args: { readonly cursor: unknown } }>["name"];
type Methods = ClientOf<V3Endpoint>;
type AnswerOf<Name extends PagedName> = Awaited<ReturnType<Methods[Name]>>;
type ArgsOf<Name extends PagedName> = Parameters<Methods[Name]>[0];
/** The items of the first list of an answer. */
type ItemOf<Name extends PagedName> =
  AnswerOf<Name> extends infer A
    ? A[keyof A] extends infer V
      ? V extends readonly (infer I)[]
        ? I
        : never
      : never
    : never;

/** Client methods that combine several requests. */
export interface V3Extras {
  /** All items of a list, page by page, on demand: `for await (const tx of v3.pages("transactions", …))`. */
  pages<Name extends PagedName>(name: Name, args?: ArgsOf<Name>, options?: CallOptions): AsyncGenerator<ItemOf<Name>>;
  /** Live events. After a lost connection it continues after the last finalized event, without gap or repetition. */
  watch(request: WatchRequest, options?: WatchOptions): AsyncGenerator<WatchEvent>;
  /**
   * Sends an external message (base64) and waits for its whole trace. Throws "api/refused" when the server refuses the
   * message, "api/message" when its account does or when it expires, and "api/no-trace" after the timeout.
   */
  sendAndWait(boc: string, options?: SendOptions): Promise<WatchEvent>;
}

export type V3Client = Methods & V3Extras & ContractOpener;

/** What is proved of an answer: fields may be missing that only the index has. */
export type Proved<T> = T extends readonly (infer Item)[]
  ? readonly Proved<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]?: Proved<T[Field]> }
    : T;

/** The methods of a client that checks proofs; streams have none. */
export type ProvedV3Client = {
  readonly [Name in keyof Methods]: (
    ...given: Parameters<Methods[Name]>
  ) => Promise<Proved<Awaited<ReturnType<Methods[Name]>>>>;
} & {
  /** All items of a list, page by page, each proved; an item that the server leaves out is not missed between pages. */
  pages<Name extends PagedName>(
    name: Name,
    args?: ArgsOf<Name>,
    options?: CallOptions,
  ): AsyncGenerator<Proved<ItemOf<Name>>>;
};

export interface ProvedV3Options extends ClientOptions {
  /** Checks every answer against a trusted block, so that a server cannot lie; `UnprovedError` says why it fails. */
  readonly verify: ReceiverOptions;
}

type Ask = (name: string, args: CallValues, call?: CallOptions) => Promise<Answer>;

/**
 * A v3 client whose methods are typed from the server's declarations and named after its paths:
 * `client["jetton/masters"]`. Errors are like those of the v2 client. `baseUrl` ends before the name: `…/api/v3`. With
 * `verify` a method resolves only with what was proved here, and without the rest of the answer.
 */
export function createV3Client(baseUrl: string, options: ProvedV3Options): ProvedV3Client;
export function createV3Client(baseUrl: string, options?: ClientOptions): V3Client;
export function createV3Client(
  baseUrl: string,
  options: ClientOptions & Partial<ProvedV3Options> = {},
): V3Client | ProvedV3Client {
  const base = baseUrl.replace(/\/+$/, "");
  const { verify } = options;
  const askPlain: Ask = (name, args, call) => askServer(base, name, args, options, call);
  const ask = verify === undefined ? askPlain : makeProver(verify, askPlain);
  const methods = makeInert(v3Names, (name) => async (args: CallValues = {}, call?: CallOptions) => {
    return (await ask(name, args, call)).body;
  });
  const watch: V3Extras["watch"] = (request, more) => watchStream(streamUrl(base), request, { ...options, ...more });
  const unproved = (name: string) => () => {
    throw new UnprovedError("verify/not-covered", `${name}: a stream has no proof; transactions and traces have`);
  };
  const streams = {
    watch,
    sendAndWait: (boc: string, more?: SendOptions) => sendAndWait({ ask, watch, url: streamUrl(base) }, boc, more),
  };
  const extras = {
    pages: (name: string, args: CallValues = {}, call?: CallOptions) =>
      readPages((more) => ask(name, { ...args, ...more }, call)),
    ...(verify === undefined ? streams : { watch: unproved("watch"), sendAndWait: unproved("sendAndWait") }),
  };
  for (const [name, value] of Object.entries(extras)) Object.defineProperty(methods, name, { value });
  // Every declared name has its method.
  return addContract(methods, {
    form: "entries",
    ask: async (name, args, call) => (await ask(name, Object(args), call)).body,
  }) as V3Client;
}

/** Asks for proofs and checks them; the checks are loaded with the first call. */
function makeProver(options: ReceiverOptions, askPlain: Ask): Ask {
  let verifier: Promise<OpenVerifier> | undefined;
  return async (name, args, call) => {
    verifier ??= import("./verify/openV3Verifier.ts").then(({ openV3Verifier }) => openV3Verifier(options));
    let next: string | undefined;
    const sendCall = async (given: unknown) => {
      const answer = await askPlain(name, Object(given), call);
      next = answer.next;
      const { result, proof } = answer.body;
      // Without a proof there is no envelope: what only writes has none.
      return "proof" in Object(given) ? { result, proof } : { result: answer.body, proof: undefined };
    };
    const proved = await (await verifier).ask(name, Object(args), sendCall, call?.signal);
    return { body: Object(proved), next };
  };
}

interface Answer {
  readonly body: Readonly<Record<string, unknown>>;
  /** Where the next page begins. */
  readonly next: string | undefined;
}

/** The stream of the same server. */
function streamUrl(base: string): string {
  return base.replace(/\/v3$/, "/streaming/v2/sse");
}

const noItems: Answer = { body: {}, next: undefined };

async function* readPages(ask: (more: CallValues) => Promise<Answer>): AsyncGenerator<unknown> {
  let cursor: string | undefined;
  do {
    const { body, next } = await ask(cursor === undefined ? {} : { cursor }).catch((error: unknown) => {
      // A full page may be the last one; that the one after it is empty has no proof.
      if (cursor === undefined || !isCoded(error, "verify/empty")) throw error;
      return noItems;
    });
    const items: readonly unknown[] = Object.values(body).find(Array.isArray) ?? [];
    yield* items;
    cursor = items.length === 0 ? undefined : next;
  } while (cursor !== undefined);
}

async function askServer(
  base: string,
  name: string,
  args: CallValues,
  { apiKey, fetch = globalThis.fetch }: ClientOptions,
  { signal }: CallOptions = {},
): Promise<Answer> {
  const key = keyHeader(apiKey);
  const common = signal === undefined ? {} : { signal };
  const isPosted = postedNames.includes(name);
  const asked: Asked = { name, url: isPosted ? `${base}/${name}` : `${base}/${name}?${formatQuery(args)}` };
  const body = isPosted ? formatBody(args) : undefined;
  const request = { ...common, method: "POST", headers: { ...key, "content-type": "application/json" } };
  const { status, text, headers } = await send(
    () => (body === undefined ? fetch(asked.url, { ...common, headers: key }) : fetch(asked.url, { ...request, body })),
    asked,
  );
  const answer = readEnvelope(text, status, asked);
  if (status !== 200) {
    const reason = String(answer.error ?? `status ${status}`);
    throw new ApiError("api/refused", `${name}: ${reason}`, { data: { status, error: reason, url: asked.url } });
  }
  return { body: answer, next: headers.get("x-next-cursor") ?? undefined };
}
