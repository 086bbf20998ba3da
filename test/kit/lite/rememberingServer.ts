import type { LiteServer } from "../../../src/lite/LiteServer.ts";

/**
 * A server that is asked for each thing once, for tests that ask for the same again and again: right only before a
 * chain that does not grow. What failed is asked again.
 */
export function rememberingServer(server: LiteServer): LiteServer {
  const known = new Map<string, Uint8Array>();
  return {
    ask: async (question, options) => {
      const key = Buffer.from(question).toString("latin1");
      const answer = known.get(key) ?? (await server.ask(question, options));
      known.set(key, answer);
      return answer;
    },
    close: () => server.close(),
    destroy: (reason) => server.destroy(reason),
  };
}
