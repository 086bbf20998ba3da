import type { Command } from "../Command.ts";
import { readPackageFacts } from "../packageFacts.ts";
import { refuseArguments } from "../terminal/commandLine.ts";

export const version: Command = {
  name: "version",
  summary: "Print the version.",
  examples: ["tongate version"],
  run: async (terminal, args) => {
    refuseArguments("version", args);
    terminal.write(`${readPackageFacts().version}\n`);
  },
};
