import { join } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { openLog } from "../../lib/log.ts";
import { Faucet } from "../../localnet/network/faucet.ts";
import { Localnet } from "../../localnet/network/Localnet.ts";
import { Traffic } from "../../localnet/offer/traffic.ts";
import { restoreArchive } from "../../localnet/store/restoreArchive.ts";
import { liteServerSeedOf } from "../../localnet/wallets/networkKeys.ts";
import { openExecutor } from "../../tvm/run/openExecutor.ts";
import type { RunningService, Terminal } from "../Command.ts";
import { globalConfigName, makeDataFolder } from "../dataFolder.ts";
import { type Closers, openTogether } from "../service/parts/Closers.ts";
import { keepGlobalConfig } from "./keepGlobalConfig.ts";
import type { LocalnetSettings } from "./LocalnetSettings.ts";
import { IndexReset } from "./LocalSnapshots.ts";
import { listenForLiteClients } from "./listenForLiteClients.ts";
import { formatWelcome } from "./localnetWelcome.ts";
import { historyOf, openDemo, rememberDemo } from "./openDemo.ts";

/** Starts a local network with its lite server and prints how to use it; everything is closed in reverse. */
export function openLocalnet(settings: LocalnetSettings, terminal: Terminal): Promise<RunningService> {
  return openTogether(async (closers) => {
    await openParts(settings, terminal, closers);
    return { close: () => closers.close() };
  });
}

async function openParts(settings: LocalnetSettings, terminal: Terminal, closers: Closers): Promise<void> {
  const log = openLog({ level: "info" });
  const { pace, folder, shards, globalVersion, restore, repair } = settings;
  makeDataFolder(folder);
  const { seed } = restore === undefined ? settings : await restoreArchive(restore, folder, log);
  // First the port: a network that cannot be served is not started.
  const server = await listenForLiteClients({ port: settings.port, seed: liteServerSeedOf(seed) }, { log });
  closers.add("lite port", () => server.close());
  const executor = await openExecutor({}, { clock: systemClock });
  closers.add("executor", () => executor.close());
  // An index of blocks that are given up would be one of another chain.
  const onGiveUp = (): void => new IndexReset(folder).order();
  const historySeconds = historyOf(folder, settings.demo);
  const options = { seed, pace, folder, shards, globalVersion, repair, onGiveUp, historySeconds };
  const net = await Localnet.open(options, { clock: systemClock, executor, log });
  closers.add("network", () => net.close());
  server.serve(net.lite);
  const write = (text: string): void => terminal.write(text);
  const { find, make } = openDemo(net, rememberDemo(folder, settings.demo), { clock: systemClock, write });
  await make();
  const { host, port, publicKey } = server;
  const configPath = join(folder, globalConfigName);
  closers.add("global configuration", keepGlobalConfig(configPath, { host, port, publicKey }, { net, log }));
  terminal.write(formatWelcome({ net, settings, host, port, publicKey, configPath, demo: find() }));
  const faucet = new Faucet({}, { net });
  closers.add("faucet", async () => faucet.close());
  if (settings.traffic === 0) return;
  const { traffic: perSecond, trafficSeconds: seconds } = settings;
  const traffic = new Traffic({ perSecond, seconds }, { net, faucet, log });
  closers.add("traffic", async () => traffic.stop());
  traffic.start().catch((error: unknown) => {
    // Stopped before it started.
    if (!isCoded(error, "localnet/closed")) log.error("the traffic generator failed", { error: String(error) });
  });
}
