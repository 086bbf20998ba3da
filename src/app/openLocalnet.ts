import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../lib/clock.ts";
import { isCoded } from "../lib/errors.ts";
import { openLog } from "../lib/log.ts";
import { Faucet } from "../localnet/faucet.ts";
import { formatGlobalConfig } from "../localnet/globalConfig.ts";
import { Localnet } from "../localnet/Localnet.ts";
import { restoreChain } from "../localnet/store/chainArchive.ts";
import { Traffic } from "../localnet/traffic.ts";
import { openExecutor } from "../tvm/engine/openExecutor.ts";
import type { Terminal } from "./Command.ts";
import { makeDataFolder } from "./dataFolder.ts";
import type { LocalnetSettings } from "./LocalnetSettings.ts";
import { formatWelcome } from "./localnetWelcome.ts";
import { openDemo } from "./openDemo.ts";
import type { RunningService } from "./Running.ts";
import { serveLiteServer } from "./serveLiteServer.ts";
import { type Closers, openTogether } from "./service/Closers.ts";

/** Starts a local network with its lite server and tells people how to use it; what was opened is closed in reverse. */
export function openLocalnet(settings: LocalnetSettings, terminal: Terminal): Promise<RunningService> {
  return openTogether(async (closers) => {
    await openParts(settings, terminal, closers);
    return { close: () => closers.close() };
  });
}

async function openParts(settings: LocalnetSettings, terminal: Terminal, closers: Closers): Promise<void> {
  const log = openLog({ level: "info" });
  const { pace, folder, shards, restore } = settings;
  makeDataFolder(folder);
  const { seed } = restore === undefined ? settings : restoreChain(restore, folder);
  const executor = await openExecutor({}, { clock: systemClock });
  closers.add(() => executor.close());
  const net = await Localnet.open({ seed, pace, folder, shards }, { clock: systemClock, executor, log });
  closers.add(() => net.close());
  const write = (text: string): void => terminal.write(text);
  const demo = await openDemo(net, settings.demo, { clock: systemClock, write });
  const server = await serveLiteServer({ lite: net.lite, port: settings.port, seed: net.keys.liteServerSeed }, { log });
  closers.add(() => server.close());
  const configPath = join(folder, "global.config.json");
  const { host, port, publicKey } = server;
  writeFileSync(configPath, formatGlobalConfig({ zeroState: net.ledger.zero.id, host, port, publicKey }));
  terminal.write(formatWelcome({ net, settings, host, port, publicKey, configPath, demo }));
  const faucet = new Faucet({}, { net });
  closers.add(async () => faucet.close());
  if (settings.traffic === 0) return;
  const traffic = new Traffic({ perSecond: settings.traffic }, { net, faucet, log });
  closers.add(async () => traffic.stop());
  traffic.start().catch((error: unknown) => {
    // Stopped before it had begun.
    if (!isCoded(error, "localnet/closed")) log.error("the traffic generator gave up", { error: String(error) });
  });
}
