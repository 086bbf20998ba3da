import type { Command } from "../Command.ts";
import { refuseArguments } from "../commandLine.ts";
import { loadConfig, settingsFor } from "../config.ts";
import { postLocal } from "../local/localControl.ts";

export const block: Command = {
  name: "block",
  summary: "Let the local network that runs make its next block now.",
  examples: ["tongate block", "tongate block --port 9000"],
  settings: settingsFor("host", "port", "networks"),
  run: async (terminal, args) => {
    const { config, words } = loadConfig(args);
    refuseArguments("block", words);
    const { mc_seqno: seqno } = await postLocal(config, "block", {});
    terminal.write(`made masterchain block ${seqno}\n`);
  },
};
