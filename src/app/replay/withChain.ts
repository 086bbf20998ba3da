import type { Chain } from "../../chain/Chain.ts";
import { findTransactionPoint, type IndexedPoint } from "../../history/queries/transactionPoint.ts";
import type { Database } from "../../history/store/Database.ts";
import { systemClock } from "../../lib/clock.ts";
import { withDeadline } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Terminal } from "../Command.ts";
import type { AppConfig } from "../config.ts";
import { makeDataFolder } from "../dataFolder.ts";
import { askTransactionPoint } from "../local/localControl.ts";
import type { ListenAddress } from "../NetworkPlan.ts";
import { indexLocation } from "../networks/indexLocation.ts";
import { openModules } from "../service/indexNetworks.ts";
import { type Closers, openTogether } from "../service/parts/Closers.ts";
import { openIndexDatabase } from "../service/parts/openIndexDatabase.ts";
import { type LiveParts, openLive } from "../service/parts/openLive.ts";
import { openPlanned } from "../start/serve.ts";
import { askedPlan } from "./askedPlan.ts";
import type { FindModules } from "./findNamed.ts";

/** The timeout of a whole command. */
const usualPatienceMs = 15 * 60_000;

/** The opened network, besides its chain. */
export interface OpenedChain extends Pick<FindModules, "findPoint"> {
  /** Opens the chain again, with a newer head. */
  readonly services: LiveParts["services"];
  readonly log: Log;
  /** Aborts at the timeout of the command. */
  readonly signal: AbortSignal;
}

/** Opens the configured network, waits for its newest block, and closes everything afterwards. */
export async function withChain(
  config: AppConfig,
  terminal: Terminal,
  use: (chain: Chain, opened: OpenedChain) => Promise<void>,
  patienceMs = usualPatienceMs,
): Promise<void> {
  const { configured, asked } = await askedPlan(config);
  makeDataFolder(config.data);
  const opened = await openTogether(async (closers: Closers) => {
    const modules = await openModules(config, terminal, closers);
    const network = await openPlanned(asked, modules);
    closers.add("network", () => network.close());
    return { network, modules, live: openLive(network, modules), close: () => closers.close() };
  });
  const deadline = withDeadline(systemClock, patienceMs);
  try {
    for await (const _ of opened.network.heads(deadline.signal)) break;
    const { network, modules, live } = opened;
    const location = indexLocation(config, configured);
    const openIndex = () => openIndexDatabase(location, { kind: "read" }, network.zeroState.rootHash, modules);
    const findPoint = (hash: Hash) => findInIndex(hash, openIndex, configured.listen);
    const { services } = live;
    const { signal } = deadline;
    await use(services.chains.open({ access: "private", signal }), { findPoint, services, log: modules.log, signal });
  } finally {
    deadline.dispose();
    await opened.close();
  }
}

/** Finds a transaction in the index; a built-in database that a running server holds is read by that server. */
async function findInIndex(
  hash: Hash,
  openIndex: () => Promise<Database>,
  listen: ListenAddress,
): Promise<IndexedPoint | undefined> {
  try {
    const database = await openIndex();
    try {
      return await findTransactionPoint(database, hash);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!isCoded(error, "history/locked")) throw error;
    return askTransactionPoint(listen, hash);
  }
}
