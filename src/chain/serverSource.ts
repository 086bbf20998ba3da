import type { TrustedHead } from "../lite/queries/TrustedChain.ts";
import type { LiteServer } from "../lite/server/LiteServer.ts";
import type { ChainSource, RequestServer } from "./LiveChains.ts";

/** A single server for all queries, such as the local network, with a function that knows its newest block. */
export function serverSource(server: LiteServer, head: () => TrustedHead): ChainSource {
  return { pin: () => pinSingle(server), head };
}

function pinSingle(server: LiteServer): RequestServer {
  let asked: readonly number[] = [];
  const noting: LiteServer = {
    ask: (query, options) => {
      asked = [0];
      return server.ask(query, options);
    },
    close: () => server.close(),
    destroy: (reason) => server.destroy(reason),
  };
  return { server: noting, askedServers: () => asked };
}
