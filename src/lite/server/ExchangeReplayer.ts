import { toBase64 } from "../../lib/bytes.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { LiteError } from "../errors.ts";
import type { Exchange } from "./ExchangeRecorder.ts";
import type { AskOptions, LiteServer } from "./LiteServer.ts";

/** A `LiteServer` that answers with recorded exchanges; any other query rejects with `lite/record`. */
export class ExchangeReplayer implements LiteServer {
  readonly #answers: ReadonlyMap<string, Uint8Array>;

  constructor(exchanges: readonly Exchange[]) {
    this.#answers = new Map(exchanges.map(({ query, answer }) => [toBase64(query), answer]));
  }

  async ask(query: Uint8Array, { signal }: AskOptions): Promise<Uint8Array> {
    throwIfAborted(signal);
    const answer = this.#answers.get(toBase64(query));
    if (answer === undefined) throw new LiteError("lite/record", "the recording does not contain this query");
    return answer;
  }

  async close(): Promise<void> {}

  destroy(): void {}
}
