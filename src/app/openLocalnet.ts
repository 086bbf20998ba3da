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
import type { LocalnetSettings } from "./LocalnetSettings.ts";
import { formatWelcome } from "./localnetWelcome.ts";
import { openDemo } from "./openDemo.ts";
import type { Running } from "./Running.ts";
import { serveLiteServer } from "./serveLiteServer.ts";

/** Starts a local network with its lite server and tells people how to use it. */
export async function openLocalnet(settings: LocalnetSettings, terminal: Terminal): Promise<Running> {
  const log = openLog({ level: "info" });
  const { pace, folder, shards, restore } = settings;
  const { seed } = restore === undefined ? settings : restoreChain(restore, folder);
  const executor = await openExecutor({}, { clock: systemClock });
  const options = { seed, pace, folder, ...(shards === undefined ? {} : { shards }) };
  const net = await Localnet.open(options, { clock: systemClock, executor, log });
  const write = (text: string): void => terminal.write(text);
  const demo = await openDemo(net, settings.demo, { clock: systemClock, write });
  const server = await serveLiteServer({ lite: net.lite, port: settings.port, seed: net.keys.liteServerSeed }, { log });
  const configPath = join(folder, "global.config.json");
  const { host, port, publicKey } = server;
  writeFileSync(configPath, formatGlobalConfig({ zeroState: net.ledger.zero.id, host, port, publicKey }));
  terminal.write(formatWelcome({ net, settings, host, port, publicKey, configPath, demo }));
  const faucet = new Faucet({}, { net });
  const traffic = settings.traffic > 0 ? new Traffic({ perSecond: settings.traffic }, { net, faucet, log }) : undefined;
  traffic?.start().catch((error: unknown) => {
    // Stopped before it had begun.
    if (!isCoded(error, "localnet/closed")) log.error("the traffic generator gave up", { error: String(error) });
  });
  return {
    close: async () => {
      traffic?.stop();
      faucet.close();
      await server.close();
      await net.close();
      await executor.close();
    },
  };
}
