import { toBase64 } from "../../src/lib/bytes.ts";
import type { LiteServer } from "../../src/lite/server/LiteServer.ts";

/**
 * A lite server whose answers are made once each: what it costs to make them is not measured, nodes do that elsewhere.
 */
export function rememberingServer(server: LiteServer): LiteServer {
  const answers = new Map<string, Promise<Uint8Array>>();
  return {
    ask(query, options) {
      const key = toBase64(query);
      const kept = answers.get(key) ?? server.ask(query, options);
      answers.set(key, kept);
      return kept;
    },
    close: () => server.close(),
    destroy: (reason) => server.destroy(reason),
  };
}
