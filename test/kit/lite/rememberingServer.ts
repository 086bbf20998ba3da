import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";

/** Caches successful answers, for tests that repeat queries. Valid only for a chain that does not grow. */
export function rememberingServer(server: LiteServer): LiteServer {
  const known = new Map<string, Uint8Array>();
  return {
    ask: async (query, options) => {
      const key = Buffer.from(query).toString("latin1");
      const answer = known.get(key) ?? (await server.ask(query, options));
      known.set(key, answer);
      return answer;
    },
    close: () => server.close(),
    destroy: (reason) => server.destroy(reason),
  };
}
