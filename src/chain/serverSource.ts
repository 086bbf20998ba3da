import type { LiteServer } from "../lite/LiteServer.ts";
import type { Head } from "../lite/queries/TrustedChain.ts";
import type { ChainSource } from "./LiveChains.ts";

/** A single server that everything is asked of, such as the local network, with whoever knows its newest block. */
export function serverSource(server: LiteServer, head: () => Head): ChainSource {
  return { pin: () => ({ server, askedServers: () => [0] }), head };
}
