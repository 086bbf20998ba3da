import type { V2Answer, V2Args, V2Name, V3Answer, V3Args, V3Name } from "./types.ts";

/** A request to the public API as a value, so that a panel shows exactly what a page sends. */
export interface Ask<Answer> {
  readonly method: "GET" | "POST";
  /** Path on the server, with its query. */
  readonly path: string;
  /** JSON of a POST. */
  readonly body?: string;
  readonly read: (answer: unknown) => Answer;
}

type Value = string | number | boolean | undefined;
type Args = Readonly<Record<string, Value | readonly Value[]>>;

/** A v3 request. */
export function v3<Name extends V3Name>(name: Name, args?: V3Args<Name>): Ask<V3Answer<Name>> {
  return get(`/api/v3/${name}`, args as Args | undefined, readPlain<V3Answer<Name>>);
}

/** A v2 request; `read` unwraps the envelope. */
export function v2<Name extends V2Name>(name: Name, args?: V2Args<Name>): Ask<V2Answer<Name>> {
  return get(`/api/v2/${name}`, args as Args | undefined, readEnvelope<V2Answer<Name>>);
}

/** A v2 request by POST. */
export function postV2<Name extends V2Name>(name: Name, args: V2Args<Name>): Ask<V2Answer<Name>> {
  return post(`/api/v2/${name}`, args, readEnvelope<V2Answer<Name>>);
}

/** A v3 request by POST. */
export function postV3<Name extends V3Name>(name: Name, args: V3Args<Name>): Ask<V3Answer<Name>> {
  return post(`/api/v3/${name}`, args, readPlain<V3Answer<Name>>);
}

/** A GET of any path on this server. */
export function get<Answer>(path: string, args: Args | undefined, read: (answer: unknown) => Answer): Ask<Answer> {
  const query = new URLSearchParams(
    Object.entries(args ?? {}).flatMap(([name, value]) => {
      const values = Array.isArray(value) ? value : [value];
      return values.filter((each) => each !== undefined).map((each): [string, string] => [name, String(each)]);
    }),
  ).toString();
  return { method: "GET", path: query === "" ? path : `${path}?${query}`, read };
}

/** A POST of JSON to any path on this server. */
export function post<Answer>(path: string, body: unknown, read: (answer: unknown) => Answer): Ask<Answer> {
  return { method: "POST", path, body: JSON.stringify(body), read };
}

/** The answer unchanged; its type is the one that the server declares. */
export function readPlain<Answer>(answer: unknown): Answer {
  return answer as Answer;
}

/** Unwraps `{ok, result}` of v2 and the local network. */
export function readEnvelope<Answer>(answer: unknown): Answer {
  return (answer as { readonly result: Answer }).result;
}

/** Identifies a request. */
export function keyOf({ method, path, body = "" }: Ask<unknown>): string {
  return `${method} ${path} ${body}`;
}

/** The same request as a curl command. */
export function curlOf({ method, path, body }: Ask<unknown>, origin: string): string {
  const url = `'${origin}${path}'`;
  if (method === "GET") return `curl ${url}`;
  const data = (body ?? "").replaceAll("'", "'\\''");
  return `curl ${url} -H 'Content-Type: application/json' -d '${data}'`;
}
