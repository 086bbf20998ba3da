import type { Command } from "../Command.ts";
import { allSettings, loadConfig } from "../config.ts";
import { runUntilStopped, systemStop } from "../start/untilStopped.ts";
import { refuseArguments } from "../terminal/commandLine.ts";

export const serve: Command = {
  name: "serve",
  summary: "Serve the HTTP API and the explorer for one or more networks; the default command.",
  examples: [
    "tongate",
    "tongate serve --port 9000 --data .tongate/mine",
    "tongate serve --network mainnet",
    "tongate serve --network testnet --global-config testnet.json",
    "tongate serve --network private/global.config.json --trust",
    "tongate serve --network mainnet,mine --config tongate.json",
    "tongate serve --network mainnet --database postgres://user@host/index --from genesis",
    "tongate serve --network mainnet --database postgres://user@host/index --no-index",
    "tongate serve --network mainnet --no-index",
  ],
  settings: allSettings,
  run: async (terminal, args) => {
    const { config, words } = loadConfig(args);
    refuseArguments("serve", words);
    const open = async () => (await import("../start/serve.ts")).serveConfigured(config, terminal);
    await runUntilStopped(open, config.drainMs, terminal, systemStop(config.logLevel));
  },
};
