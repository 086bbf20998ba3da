import { orAborted } from "../../lib/abort.ts";
import { systemClock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { getOpenFileLimit } from "../../lib/process/openFileLimit.ts";
import { systemRandom } from "../../lib/random.ts";
import type { AdnlHandler } from "../../lite/adnl/AdnlInbound.ts";
import { AdnlServer } from "../../lite/adnl/AdnlServer.ts";
import { LiteError } from "../../lite/errors.ts";
import type { LiteServer } from "../../lite/server/LiteServer.ts";
import { serveLite } from "../../lite/server/serveLite.ts";
import { refuseAddress } from "../service/refuseTaken.ts";

export interface LiteListenerOptions {
  readonly port: number;
  /** The public key of the server. */
  readonly seed: Uint8Array;
  /** How many clients may be connected; by default most of what the limit of open files leaves. */
  readonly maxClients?: number | undefined;
}

export interface LiteListener {
  readonly host: string;
  readonly port: number;
  readonly publicKey: Uint8Array;
  /** Sets the server that answers; earlier queries wait for it. */
  serve(lite: LiteServer): void;
  close(): Promise<void>;
}

const host = "127.0.0.1";

/** Listens for lite clients on this machine over ADNL TCP. The port is opened before the network is ready. */
export async function listenForLiteClients(
  { port, seed, maxClients }: LiteListenerOptions,
  { log }: { readonly log: Log },
): Promise<LiteListener> {
  let serve: (handler: AdnlHandler) => void = () => {};
  const handler = new Promise<AdnlHandler>((resolve) => {
    serve = resolve;
  });
  const server = await openServer({ port, seed, maxClients }, handler, log);
  const [publicKey] = server.publicKeys;
  if (publicKey === undefined) throw new LiteError("lite/handshake", "the server has no key");
  return {
    host,
    port: server.port,
    publicKey,
    serve: (lite) => serve(serveLite(lite, systemClock)),
    close: async () => server.destroy(new LiteError("lite/closed", "the network is closed")),
  };
}

/** The number of connections that the limit of open files leaves besides the chain's own files. */
function clientsLimit(): number {
  return Math.max(Math.min(1_024, getOpenFileLimit() - 64), 16);
}

async function openServer(
  { port, seed, maxClients = clientsLimit() }: LiteListenerOptions,
  handler: Promise<AdnlHandler>,
  log: Log,
): Promise<AdnlServer> {
  const modules = {
    ...{ clock: systemClock, random: systemRandom },
    handler: async (...[query, peer, signal]: Parameters<AdnlHandler>) =>
      (await orAborted(handler, signal))(query, peer, signal),
    onProblem: (error: unknown) => log.debug("dropped a lite client", { error: String(error) }),
  };
  try {
    return await AdnlServer.open({ host, port, seeds: [seed], maxConnections: maxClients }, modules);
  } catch (error) {
    throw isCoded(error, "lite/refused") ? refuseAddress({ host, port }, error.cause, "--port") : error;
  }
}
