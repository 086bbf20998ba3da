import { formatJson, type JsonInput } from "../../lib/json.ts";
import type { LocalEndpoint } from "../local/localVersion.ts";
import { type CallOptions, type ClientOf, makeInert, readEnvelope, refusal, send } from "./client.ts";
import { type ClientOptions, keyHeader } from "./light/ClientOptions.ts";
import { formatQuery } from "./verify/callArgs.ts";
import { localNames, readNames } from "./verify/clientNames.ts";

export { ApiError } from "../declare/errors.ts";

export type LocalClient = ClientOf<LocalEndpoint>;

/**
 * A client of a local network's controls whose methods are typed from the server's declarations. Errors are like those
 * of the v2 client. `baseUrl` ends before the method's name: `…/localnet`.
 */
export function createLocalClient(baseUrl: string, options: ClientOptions = {}): LocalClient {
  const base = baseUrl.replace(/\/+$/, "");
  const ask = (name: string) => (args?: JsonInput, call?: CallOptions) =>
    askServer(base, name, args ?? {}, options, call);
  // Every declared name has its method.
  return makeInert(localNames, ask) as LocalClient;
}

async function askServer(
  base: string,
  name: string,
  args: JsonInput,
  { apiKey, fetch = globalThis.fetch }: ClientOptions,
  { signal }: CallOptions = {},
): Promise<unknown> {
  const isRead = readNames.includes(name);
  const query = isRead ? formatQuery(Object(args)) : "";
  const asked = { name, url: `${base}/${name}${query === "" ? "" : `?${query}`}` };
  const content = isRead ? {} : { method: "POST", body: formatJson(args) };
  const headers = { ...(isRead ? {} : { "content-type": "application/json" }), ...keyHeader(apiKey) };
  const request = { ...content, headers, ...(signal === undefined ? {} : { signal }) };
  const { status, text } = await send(() => fetch(asked.url, request), asked);
  const envelope = readEnvelope(text, status, asked);
  if (envelope.ok !== true) throw refusal(asked, status, envelope.error);
  return envelope.result;
}
