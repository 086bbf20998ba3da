import { ApiError } from "../declare/errors.ts";
import type { V3Endpoint } from "../v3/list.ts";
import { type Asked, type CallOptions, type ClientOf, makeInert, readEnvelope, send } from "./client.ts";
import { postedNames, v3Names } from "./clientNames.ts";
import type { ClientOptions } from "./light/ClientOptions.ts";
import { type SendOptions, sendAndWait } from "./sendAndWait.ts";
import { type WatchEvent, type WatchOptions, type WatchRequest, watchStream } from "./watchStream.ts";

export { ApiError } from "../declare/errors.ts";

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

export type V3Client = Methods & V3Extras;

/**
 * A v3 client whose methods are typed from the server's declarations and named after its paths:
 * `client["jetton/masters"]`. Errors are like those of the v2 client. `baseUrl` ends before the name: `…/api/v3`.
 */
export function createV3Client(baseUrl: string, options: ClientOptions = {}): V3Client {
  const base = baseUrl.replace(/\/+$/, "");
  const ask = (name: string, args: Given, call?: CallOptions) => askServer(base, name, args, options, call);
  const methods = makeInert(v3Names, (name) => async (args: Given = {}, call?: CallOptions) => {
    return (await ask(name, args, call)).body;
  });
  const watch: V3Extras["watch"] = (request, more) => watchStream(streamUrl(base), request, { ...options, ...more });
  const extras = {
    pages: (name: string, args: Given = {}, call?: CallOptions) =>
      readPages((more) => ask(name, { ...args, ...more }, call)),
    watch,
    sendAndWait: (boc: string, more?: SendOptions) => sendAndWait({ ask, watch, url: streamUrl(base) }, boc, more),
  };
  for (const [name, value] of Object.entries(extras)) Object.defineProperty(methods, name, { value });
  // Every declared name has its method.
  return methods as V3Client;
}

type Given = Readonly<Record<string, unknown>>;

interface Answer {
  readonly body: Readonly<Record<string, unknown>>;
  /** Where the next page begins. */
  readonly next: string | undefined;
}

/** The stream of the same server. */
function streamUrl(base: string): string {
  return base.replace(/\/v3$/, "/streaming/v2/sse");
}

async function* readPages(ask: (more: Given) => Promise<Answer>): AsyncGenerator<unknown> {
  let cursor: string | undefined;
  do {
    const { body, next } = await ask(cursor === undefined ? {} : { cursor });
    const items: readonly unknown[] = Object.values(body).find(Array.isArray) ?? [];
    yield* items;
    cursor = items.length === 0 ? undefined : next;
  } while (cursor !== undefined);
}

async function askServer(
  base: string,
  name: string,
  args: Given,
  { apiKey, fetch = globalThis.fetch }: ClientOptions,
  { signal }: CallOptions = {},
): Promise<Answer> {
  const key: Readonly<Record<string, string>> = apiKey === undefined ? {} : { "x-api-key": apiKey };
  const common = signal === undefined ? {} : { signal };
  const isPosted = postedNames.includes(name);
  const asked: Asked = { name, url: isPosted ? `${base}/${name}` : `${base}/${name}?${queryOf(args)}` };
  const body = isPosted ? JSON.stringify(args, bigintAsText) : undefined;
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

function queryOf(args: Given): string {
  const pairs = Object.entries(args).flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return values.map((each): [string, string] => [name, String(each)]);
  });
  return new URLSearchParams(pairs).toString();
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
