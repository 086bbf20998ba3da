import { type CallOptions, type ClientOf, type ClientOptions, readEnvelope, send } from "../declare/client.ts";
import { ApiError } from "../declare/errors.ts";
import type { V3Endpoint } from "./list.ts";

export type V3Client = ClientOf<V3Endpoint>;

/** Questions whose arguments go into a body; the server's list of methods says the same. */
export const postedNames: ReadonlySet<string> = new Set(["decode", "message", "runGetMethod", "estimateFee"]);

/**
 * A client of v3 whose methods are typed from the very declarations the server runs and bear the names of its paths:
 * `client["jetton/masters"]`. Refusals are as those of the client of v2. `baseUrl` ends before the name: `…/api/v3`.
 */
export function createV3Client(baseUrl: string, options: ClientOptions = {}): V3Client {
  const base = baseUrl.replace(/\/+$/, "");
  const ask =
    (name: string) =>
    (args: Given = {}, call?: CallOptions) =>
      askServer(`${base}/${name}`, name, args, options, call);
  const methods = new Proxy<Record<string, unknown>>(
    {},
    // A client may be awaited or printed: only what can be a method is one.
    { get: (_target, name) => (typeof name === "string" && name !== "then" ? ask(name) : undefined) },
  );
  // Every name is a method here; the type says which of them the server has.
  return methods as V3Client;
}

type Given = Readonly<Record<string, unknown>>;

async function askServer(
  url: string,
  name: string,
  args: Given,
  { apiKey, fetch = globalThis.fetch }: ClientOptions,
  { signal }: CallOptions = {},
): Promise<unknown> {
  const key: Readonly<Record<string, string>> = apiKey === undefined ? {} : { "x-api-key": apiKey };
  const common = signal === undefined ? {} : { signal };
  const { status, text } = await send(
    () =>
      postedNames.has(name)
        ? fetch(url, {
            ...common,
            method: "POST",
            headers: { ...key, "content-type": "application/json" },
            body: JSON.stringify(args, bigintAsText),
          })
        : fetch(`${url}?${queryOf(args)}`, { ...common, headers: key }),
    name,
  );
  const answer = readEnvelope(text, status, name);
  if (status !== 200) {
    const reason = String(answer.error ?? `status ${status}`);
    throw new ApiError("api/refused", `${name}: ${reason}`, { data: { status, error: reason } });
  }
  return answer;
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
