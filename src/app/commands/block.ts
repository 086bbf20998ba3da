import type { Command } from "../Command.ts";
import { loadConfig } from "../config.ts";
import { serverSettings } from "../loadCommand.ts";
import { postLocal } from "../local/localControl.ts";
import { refuseArguments } from "../terminal/commandLine.ts";

export const block: Command = {
  name: "block",
  summary: "Make the next block of the running local network now.",
  examples: ["tongate block", "tongate block --port 9000"],
  settings: serverSettings("networks"),
  run: async (terminal, args) => {
    const { config, words } = loadConfig(args);
    refuseArguments("block", words);
    const { mc_seqno: seqno } = await postLocal(config, "block", {});
    terminal.write(`made masterchain block ${seqno}\n`);
  },
};
