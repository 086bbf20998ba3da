import { declareCommand } from "../client/declareCommand.ts";
import { postLocal } from "../local/localControl.ts";
import { refuseArguments } from "../terminal/commandLine.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

export const block = declareCommand({
  name: "block",
  summary: "Make the next block of the running local network now.",
  examples: ["tongate block", "tongate block --port 9000"],
  options: jsonOption,
  server: "local",
  run: async (terminal, { config, words, own }) => {
    refuseArguments("block", words);
    const facts = await postLocal(config, "block", {});
    writeFacts(terminal, own, facts, () => `made masterchain block ${facts.mc_seqno}\n`);
  },
});
