import type { CodedError } from "../../lib/errors.ts";
import type { Arg, Args } from "../../lib/kit/arg.ts";
import type { QueryParams, RequestArgs, RequestHeaders, RequestReader } from "../declare/requestArgs.ts";
import type { HeaderArg } from "./args/args.ts";
import { badValues, isBadValue } from "./args/refusals.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads arguments by the rules of v3: names in any case, `name[]` for lists, the last of a repeated value, an empty
 * value is absent, unknown names are ignored. All invalid values are reported together.
 */
export class V3Reader implements RequestReader {
  readonly #args: readonly (readonly [name: string, arg: Arg<unknown>])[];
  readonly #lists: ReadonlySet<string>;
  readonly #known: ReadonlySet<string>;

  constructor(args: Args) {
    this.#args = Object.entries(args);
    this.#known = new Set([...Object.keys(args), "api_key"]);
    this.#lists = new Set(this.#args.filter(([, { schema }]) => Object(schema).type === "array").map(([name]) => name));
  }

  findUnknown(names: readonly string[]): readonly string[] {
    return names.filter((name) => !this.#known.has(plainName(name)));
  }

  fromQuery(query: QueryParams, headers: RequestHeaders): Values {
    const given = new Map<string, string[]>();
    for (const [key, value] of Object.entries(query)) {
      const name = plainName(key);
      const values = given.get(name);
      // Added in place: one name can be spelled in thousands of cases.
      if (values === undefined) given.set(name, typeof value === "string" ? [value] : [...value]);
      else for (const each of typeof value === "string" ? [value] : value) values.push(each);
    }
    return this.#decode(headers, (name) => {
      const values = given.get(name);
      if (values === undefined) return undefined;
      return this.#lists.has(name) ? values : presence(values.at(-1));
    });
  }

  fromObject(requestArgs: RequestArgs, headers: RequestHeaders): Values {
    return this.#decode(headers, (name) =>
      Object.hasOwn(requestArgs, name) ? presence(requestArgs[name] ?? undefined) : undefined,
    );
  }

  #decode(headers: RequestHeaders, find: (name: string) => unknown): Values {
    const values: Record<string, unknown> = {};
    const bad: CodedError<"api/refusal">[] = [];
    const refused: unknown[] = [];
    for (const [name, arg] of this.#args) {
      try {
        values[name] = arg.decode(findInHeaders(arg, headers) ?? find(name), name);
      } catch (error) {
        if (isBadValue(error)) bad.push(error);
        else refused.push(error);
      }
    }
    const [first, ...others] = bad;
    if (first !== undefined) throw badValues(first, others.length);
    if (refused.length > 0) throw refused[0];
    return values;
  }
}

/** Names are case-insensitive, and those of lists may end with `[]`. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\[\]$/, "");
}

/** An empty value is none. */
function presence(value: unknown): unknown {
  return value === "" ? undefined : value;
}

function findInHeaders(arg: Arg<unknown> & Partial<HeaderArg<unknown>>, headers: RequestHeaders): unknown {
  const value = arg.header === undefined ? undefined : headers[arg.header];
  return presence(typeof value === "object" ? value.at(-1) : value);
}
