import type { Arg, Args } from "../../lib/kit/arg.ts";
import { ArgReader, type QueryParams, type RequestArgs, type RequestReader } from "../declare/requestArgs.ts";
import { mayBeBase64, refuse } from "./args.ts";

/** Reports that a body may have only one of the two; a query has no such rule. */
export function rivalOf<A extends Arg<unknown>>(rival: string, arg: A): A & { readonly rival: string } {
  return { ...arg, rival };
}

function isRival(arg: Arg<unknown>): arg is Arg<unknown> & { readonly rival: string } {
  return "rival" in arg;
}

/** Lengths of hashes in base64; anything else is rejected unchanged. */
const base64Lengths: ReadonlySet<number> = new Set([43, 44]);

/** Decodes arguments by the rules of v2: like any other, but a body may have only one of two alternatives. */
export class V2Reader implements RequestReader {
  readonly #reader: ArgReader;
  readonly #rivals: readonly (readonly [name: string, rival: string])[];
  readonly #base64: readonly string[];

  constructor(args: Args) {
    this.#reader = new ArgReader(args);
    this.#rivals = Object.entries(args).flatMap(([name, arg]) => (isRival(arg) ? [[name, arg.rival] as const] : []));
    this.#base64 = Object.keys(args).filter((name) => args[name] !== undefined && mayBeBase64(args[name]));
  }

  fromQuery(query: QueryParams): Readonly<Record<string, unknown>> {
    const isSpaced = (name: string) => String(query[name] ?? "").includes(" ");
    return this.#reader.fromQuery(this.#base64.some(isSpaced) ? this.#withPluses(query) : query);
  }

  /** A `+` that was not percent-encoded is read as a space, which base64 does not have. */
  #withPluses(query: QueryParams): QueryParams {
    const pluses = (text: string) => (base64Lengths.has(text.length) ? text.replaceAll(" ", "+") : text);
    const changed = this.#base64.flatMap((name) => {
      const value = query[name];
      return value === undefined ? [] : [[name, typeof value === "string" ? pluses(value) : value.map(pluses)]];
    });
    return { ...query, ...Object.fromEntries(changed) };
  }

  fromObject(requestArgs: RequestArgs): Readonly<Record<string, unknown>> {
    for (const [name, rival] of this.#rivals) {
      if (isGiven(requestArgs, name) && isGiven(requestArgs, rival))
        throw refuse(`only one of ${name} or ${rival} should be specified`);
    }
    return this.#reader.fromObject(requestArgs);
  }
}

/** Null is the same as absent. */
function isGiven(requestArgs: RequestArgs, name: string): boolean {
  return Object.hasOwn(requestArgs, name) && requestArgs[name] !== null;
}
