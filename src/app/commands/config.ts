import type { Command } from "../Command.ts";
import { refuseArguments } from "../commandLine.ts";
import { allSettings, formatConfig, loadConfig } from "../config.ts";

export const config: Command = {
  name: "config",
  summary: "Print the configuration in effect, passwords masked.",
  examples: ["tongate config", "tongate config --network mainnet --port 8080"],
  settings: allSettings,
  run: async (terminal, args) => {
    const { words, shown } = loadConfig(args);
    refuseArguments("config", words);
    terminal.write(formatConfig(shown));
  },
};
