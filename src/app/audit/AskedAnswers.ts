import { toBase64 } from "../../lib/bytes.ts";
import type { LiteServer } from "../../lite/server/LiteServer.ts";

/** A query to a lite server and its answer, both in base64. */
export type AskedAnswer = readonly [query: string, answer: string];

/** Keeps the answers of lite servers to the queries of one question; equal ones once. */
export class AskedAnswers {
  readonly #answers = new Map<string, string>();

  get list(): readonly AskedAnswer[] {
    return [...this.#answers];
  }

  /** The same server, whose answers are kept. */
  record(server: LiteServer): LiteServer {
    return {
      ask: async (query, options) => {
        const answer = await server.ask(query, options);
        this.#answers.set(toBase64(query), toBase64(answer));
        return answer;
      },
      close: () => server.close(),
      destroy: (reason) => server.destroy(reason),
    };
  }
}
