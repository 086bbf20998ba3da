import { toBase64 } from "../../lib/bytes.ts";
import type { Exchange } from "./ExchangeRecorder.ts";

/** Longer answers are encoded in steps, each time. */
const maxEncoded = 48 << 10;

/** An exchange that a cache keeps: many proofs have it, so that its texts are made once, with the first of them. */
export class KeptExchange implements Exchange {
  readonly query: Uint8Array;
  readonly answer: Uint8Array;
  #texts: Exchange["texts"];

  constructor({ query, answer }: Exchange) {
    this.query = query;
    this.answer = answer;
  }

  get texts(): Exchange["texts"] {
    if (this.answer.length > maxEncoded) return undefined;
    this.#texts ??= [toBase64(this.query), toBase64(this.answer)];
    return this.#texts;
  }

  /** With its texts, which are a third longer, and again in the text of a proof. */
  get bytes(): number {
    return Math.ceil(((this.query.length + this.answer.length) * 11) / 3);
  }
}
