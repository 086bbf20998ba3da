import { isCoded } from "../../lib/errors.ts";
import { type JsonValue, parseJsonInSteps } from "../../lib/json.ts";
import type { Args, ArgValues } from "../../lib/kit/arg.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { ApiError } from "./errors.ts";

/** Arguments of a request by name, before decoding. */
export type RequestArgs = Readonly<Record<string, unknown>>;

/** A parsed query string: a repeated name has a list. */
export type QueryParams = Readonly<Record<string, string | readonly string[]>>;

const noQuery: QueryParams = Object.freeze(Object.create(null));

/** Parses a query string, the part after the question mark; a `+` is a space, as in forms. */
export function parseQuery(text: string): QueryParams {
  if (text === "") return noQuery;
  // Without prototype: a parameter may have any name.
  const query: Record<string, string | string[]> = Object.create(null);
  for (const part of text.split("&")) {
    if (part !== "") {
      const at = part.indexOf("=");
      const rawName = at === -1 ? part : part.slice(0, at);
      const name = decodePart(rawName, rawName);
      const value = at === -1 ? "" : decodePart(part.slice(at + 1), rawName);
      const before = query[name];
      if (typeof before === "object") {
        // Added in place: copying for each value would take minutes for a name that fills the longest URL.
        before.push(value);
      } else {
        query[name] = before === undefined ? value : [before, value];
      }
    }
  }
  return query;
}

/** The error names the parameter but not its value, which may be a key. */
function decodePart(text: string, name: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (cause) {
    throw new ApiError("api/url", `bad percent-encoding: ${name.slice(0, 80)}`, { cause });
  }
}

/** The first of a parameter's values, which counts. */
export function firstOf(query: QueryParams, name: string): string | undefined {
  const value = query[name];
  return typeof value === "object" ? value[0] : value;
}

const bodyLimits = { maxDepth: 2048, maxLength: 1_048_576, repeatedKeys: "refused" } as const;

/** Parses the JSON text of a request body; an empty body and `null` are an object without properties. */
export function* parseBody(text: string): Steps<JsonValue> {
  if (text === "") return {};
  try {
    return (yield* parseJsonInSteps(text, bodyLimits)) ?? {};
  } catch (cause) {
    throw isCoded(cause) ? new ApiError("api/body", cause.message, { cause }) : cause;
  }
}

/** The properties of a JSON object. */
export function findProperties(value: JsonValue): RequestArgs | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as RequestArgs) : undefined;
}

/** The properties of a body that must be a JSON object. */
export function* parseObject(text: string): Steps<RequestArgs> {
  const properties = findProperties(yield* parseBody(text));
  if (properties === undefined) throw new ApiError("api/body", "the body must be a JSON object");
  return properties;
}

/** A name that appears once in a query is a list of one. */
function asList(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof value === "string" ? [value] : value;
}

/** Headers of a request, their names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Decodes the arguments of requests, by the rules of one API version. */
export interface RequestReader {
  /** Names of undeclared parameters; absent if the API version does not report them. */
  findUnknown?(names: readonly string[]): readonly string[];
  fromQuery(query: QueryParams, headers: RequestHeaders): Readonly<Record<string, unknown>>;
  fromObject(requestArgs: RequestArgs, headers: RequestHeaders): Readonly<Record<string, unknown>>;
}

/** The declared arguments of an endpoint, prepared for decoding. */
export class ArgReader<A extends Args = Args> {
  readonly #names: readonly string[];
  readonly #args: A;
  readonly #lists: ReadonlySet<string>;
  readonly #flags: ReadonlySet<string>;

  constructor(args: A) {
    this.#args = args;
    this.#names = Object.keys(args);
    const ofType = (type: string) => this.#names.filter((name) => Object(args[name]?.schema).type === type);
    this.#lists = new Set(ofType("array"));
    this.#flags = new Set(ofType("boolean"));
  }

  /** From a query: ignores unknown names, uses the first of repeated values; a flag without a value is absent. */
  fromQuery(query: QueryParams): ArgValues<A> {
    return this.#decode((name) => {
      const value = this.#lists.has(name) ? asList(query[name]) : firstOf(query, name);
      return value === "" && this.#flags.has(name) ? undefined : value;
    });
  }

  /** From a JSON object: rejects unknown names; null is the same as absent. */
  fromObject(requestArgs: RequestArgs): ArgValues<A> {
    for (const name of Object.keys(requestArgs)) {
      if (!Object.hasOwn(this.#args, name)) throw new ApiError("api/body", `Unknown property '${name.slice(0, 80)}'`);
    }
    return this.#decode((name) => (Object.hasOwn(requestArgs, name) ? (requestArgs[name] ?? undefined) : undefined));
  }

  #decode(find: (name: string) => unknown): ArgValues<A> {
    const values: Record<string, unknown> = {};
    for (const name of this.#names) values[name] = this.#args[name]?.decode(find(name), name);
    // Every declared name has its own decoded value, which is what the mapped type describes.
    return values as ArgValues<A>;
  }
}
