import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { systemRandom } from "../lib/random.ts";
import { AdnlServer } from "../lite/adnl/AdnlServer.ts";
import { LiteError } from "../lite/errors.ts";
import type { LiteServer } from "../lite/LiteServer.ts";
import { serveLite } from "../lite/serveLite.ts";

export interface ServedLiteOptions {
  readonly lite: LiteServer;
  readonly port: number;
  /** Of the key by which clients know the server. */
  readonly seed: Uint8Array;
}

export interface ServedLite {
  readonly host: string;
  readonly port: number;
  readonly publicKey: Uint8Array;
  close(): Promise<void>;
}

const host = "127.0.0.1";

/** Serves a lite server over ADNL TCP to clients on this machine. */
export async function serveLiteServer(
  { lite, port, seed }: ServedLiteOptions,
  { log }: { readonly log: Log },
): Promise<ServedLite> {
  const modules = { clock: systemClock, random: systemRandom };
  const server = await AdnlServer.open(
    { host, port, seeds: [seed] },
    {
      ...modules,
      handler: serveLite(lite, systemClock),
      onProblem: (error) => log.debug("a lite client was dropped", { error: String(error) }),
    },
  );
  const [publicKey] = server.publicKeys;
  if (publicKey === undefined) throw new LiteError("lite/handshake", "a server without a key");
  return {
    host,
    port: server.port,
    publicKey,
    close: async () => server.destroy(new LiteError("lite/closed", "the network is stopped")),
  };
}
