import { systemClock } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { AdnlServer } from "../../../src/lite/adnl/AdnlServer.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { TrustedChain } from "../../../src/lite/queries/TrustedChain.ts";
import { LiteConnection } from "../../../src/lite/server/LiteConnection.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { serveLite } from "../../../src/lite/server/serveLite.ts";
import type { ForkOrigin } from "../../../src/localnet/fork/fetchBase.ts";
import type { Localnet } from "../../../src/localnet/network/Localnet.ts";

/** A local network that others fork, reached over a real socket. */
export interface ServedOrigin extends ForkOrigin {
  /** How many queries came. */
  readonly asked: () => number;
  /** Ends the connection and the server. */
  close(): Promise<void>;
}

/** Serves a network on a socket of this machine; `answer` may change what it answers. */
export async function serveOrigin(
  net: Localnet,
  answer: (query: Uint8Array, lite: LiteServer, signal: AbortSignal) => Promise<Uint8Array> = (query, lite, signal) =>
    lite.ask(query, { signal }),
): Promise<ServedOrigin> {
  let asked = 0;
  const lite: LiteServer = {
    ask: (query, { signal }) => {
      asked++;
      return answer(query, net.lite, signal);
    },
    close: () => net.lite.close(),
    destroy: (reason) => net.lite.destroy(reason),
  };
  const modules = { clock: systemClock, random: systemRandom, handler: serveLite(lite, systemClock) };
  const server = await AdnlServer.open({ host: "127.0.0.1", port: 0, seeds: [systemRandom.bytes(32)] }, modules);
  const publicKey = server.publicKeys[0] ?? new Uint8Array();
  const connection = new LiteConnection({ host: "127.0.0.1", port: server.port, publicKey }, modules);
  const zeroState = net.ledger.zero.id;
  const chain = new TrustedChain({ start: zeroState, zeroState, proofs: "check" });
  return {
    name: "the test network",
    server: connection,
    head: async (signal) => ({ ...(await chain.head(connection, { signal })), zeroState }),
    asked: () => asked,
    close: async () => {
      const reason = new LiteError("lite/closed", "the origin is gone");
      connection.destroy(reason);
      server.destroy(reason);
    },
  };
}
