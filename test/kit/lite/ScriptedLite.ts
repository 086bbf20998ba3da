import { throwIfAborted } from "../../../src/lib/deadline.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import type { AskOptions, LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { type DecodedQuery, decodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import type { TlQuery } from "../../../src/lite/tl/record.ts";
import { encode } from "../../../src/lite/tl/types.ts";

/** Answers one kind of query. */
export interface Line {
  readonly name: string;
  readonly answer: (args: unknown) => Uint8Array;
}

/** Answers a query with a fixed value, or with one computed from its arguments. */
export function replyTo<Q, A>(query: TlQuery<Q, A>, answer: A | ((args: Q) => A)): Line {
  const make = answer instanceof Function ? answer : () => answer;
  return { name: query.name, answer: (args) => encode(query.answer.boxed, make(args as Q)) };
}

/** A lite server with scripted answers that records the queries. */
export class ScriptedLite implements LiteServer {
  readonly asked: DecodedQuery[] = [];
  readonly #lines: readonly Line[];

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  /** Names of the received queries, without their prefix. */
  get names(): string[] {
    return this.asked.map(({ query }) => query.name.replace("liteServer.", ""));
  }

  async ask(bytes: Uint8Array, { signal }: AskOptions): Promise<Uint8Array> {
    throwIfAborted(signal);
    const decoded = decodeQuery(bytes);
    this.asked.push(decoded);
    const line = this.#lines.find(({ name }) => name === decoded.query.name);
    if (line === undefined) throw new LiteError("lite/record", `no scripted answer for ${decoded.query.name}`);
    return line.answer(decoded.args);
  }

  async close(): Promise<void> {}

  destroy(): void {}
}
