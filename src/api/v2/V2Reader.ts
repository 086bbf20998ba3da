import type { Arg, Args } from "../../lib/kit/arg.ts";
import { ArgReader, type Query, type RequestArgs, type RequestReader } from "../http/requestArgs.ts";
import { refuse } from "./args.ts";

/** Says that a body may give only one of the two; in a query there is no such rule. */
export function rivalOf<A extends Arg<unknown>>(rival: string, arg: A): A & { readonly rival: string } {
  return { ...arg, rival };
}

function isRival(arg: Arg<unknown>): arg is Arg<unknown> & { readonly rival: string } {
  return "rival" in arg;
}

/** Decodes arguments by the rules of v2: like any other, and of rivals a body gives one. */
export class V2Reader implements RequestReader {
  readonly #reader: ArgReader;
  readonly #rivals: readonly (readonly [name: string, rival: string])[];

  constructor(args: Args) {
    this.#reader = new ArgReader(args);
    this.#rivals = Object.entries(args).flatMap(([name, arg]) => (isRival(arg) ? [[name, arg.rival] as const] : []));
  }

  fromQuery(query: Query): Readonly<Record<string, unknown>> {
    return this.#reader.fromQuery(query);
  }

  fromObject(given: RequestArgs): Readonly<Record<string, unknown>> {
    for (const [name, rival] of this.#rivals) {
      if (isGiven(given, name) && isGiven(given, rival)) {
        throw refuse(`only one of ${name} or ${rival} should be specified`);
      }
    }
    return this.#reader.fromObject(given);
  }
}

/** Null is the same as nothing. */
function isGiven(given: RequestArgs, name: string): boolean {
  return Object.hasOwn(given, name) && given[name] !== null;
}
