import type { LitePool } from "../lite/pool/LitePool.ts";
import type { ChainSource } from "./LiveChains.ts";

/**
 * A pool as the source of requests. A request begins at the pool's proved head and every later query names its block,
 * so another server may take over at any time: every answer is proved and the same.
 */
export function poolSource(pool: Pick<LitePool, "pin" | "head">, serverNames: readonly string[]): ChainSource {
  return {
    pin: (access) => {
      const server = pool.pin({ access, fallOver: "always" });
      const askedServers = () => server.serverNames.map((name) => serverNames.indexOf(name)).filter((at) => at >= 0);
      return { server, askedServers };
    },
    head: (access) => pool.head({ access }),
  };
}
