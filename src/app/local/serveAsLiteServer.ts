import { join } from "node:path";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { LiteServer } from "../../lite/server/LiteServer.ts";
import type { Localnet } from "../../localnet/network/Localnet.ts";
import { liteServerSeedOf } from "../../localnet/wallets/networkKeys.ts";
import { globalConfigName } from "../dataFolder.ts";
import type { Closers } from "../service/parts/Closers.ts";
import { keepGlobalConfig } from "./keepGlobalConfig.ts";
import { type LiteListener, listenForLiteClients } from "./listenForLiteClients.ts";

/** The default port. */
const usualPort = 4443;

export interface LiteServing {
  /** Unset: the usual port, or any free one if that is taken. */
  readonly port: number | "off" | undefined;
  /** The folder of the global configuration. */
  readonly folder: string;
  /** The seed of the network's keys. */
  readonly seed: string;
  readonly maxClients: number | undefined;
}

/** A local network for lite clients. */
export interface ServedLite extends Pick<LiteListener, "host" | "port" | "publicKey"> {
  readonly configPath: string;
}

/** Listens for lite clients of this machine and writes the global configuration that they use. */
export async function serveAsLiteServer(
  { port, folder, seed, maxClients }: LiteServing,
  { net, served: answering, log }: { readonly net: Localnet; readonly served: LiteServer; readonly log: Log },
  closers: Closers,
): Promise<ServedLite | undefined> {
  if (port === "off") return undefined;
  const keySeed = liteServerSeedOf(seed);
  const options = { seed: keySeed, maxClients };
  const listener = await listenForLiteClients({ ...options, port: port ?? usualPort }, { log }).catch((error) => {
    if (port !== undefined || !isCoded(error, "app/listen")) throw error;
    return listenForLiteClients({ ...options, port: 0 }, { log });
  });
  closers.add("lite port", () => listener.close());
  listener.serve(answering);
  const { host, publicKey } = listener;
  const served = { host, port: listener.port, publicKey, configPath: join(folder, globalConfigName) };
  closers.add("global configuration", keepGlobalConfig(served.configPath, served, { net, log }));
  return served;
}
