import type { Args } from "../../lib/kit/arg.ts";
import type { QueryParams, RequestArgs, RequestHeaders, RequestReader } from "../declare/requestArgs.ts";

type Values = Readonly<Record<string, unknown>>;

/** Reads arguments from JSON; ignores unknown names, and reads the known action types from a header. */
export class EmulateReader implements RequestReader {
  readonly #args: Args;

  constructor(args: Args) {
    this.#args = args;
  }

  fromQuery(query: QueryParams, headers: RequestHeaders): Values {
    return this.fromObject(query, headers);
  }

  fromObject(requestArgs: RequestArgs, headers: RequestHeaders): Values {
    const version = headers["x-actions-version"];
    const all = version === undefined ? requestArgs : { ...requestArgs, actions_version: String(version) };
    const values = Object.entries(this.#args).map(([name, arg]) => [
      name,
      arg.decode(Object.hasOwn(all, name) ? all[name] : undefined, name),
    ]);
    return Object.fromEntries(values);
  }
}
