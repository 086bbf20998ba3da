import { formatAddress, parseAddress } from "../../model/Address.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { listLocal } from "../local/localControl.ts";
import { refuseArguments } from "../terminal/commandLine.ts";
import { formatRows, type ScreenRow } from "../terminal/screen.ts";
import { styleFor } from "../terminal/style.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

export const demo = declareCommand({
  name: "demo",
  summary: "List the demo contracts of the running local network.",
  examples: ["tongate demo", "tongate demo --json"],
  options: jsonOption,
  server: "local",
  run: async (terminal, { config, words, own }) => {
    refuseArguments("demo", words);
    const facts = await listLocal(config, "demo");
    const rows = facts.map((each): ScreenRow => {
      const { address } = parseAddress(String(each.address));
      return [String(each.name), formatAddress(address, { bounceable: true, testOnly: false }, "base64url")];
    });
    const none = "no demo contracts: they are switched off, or not deployed yet\n";
    const text = () => (rows.length === 0 ? none : `${formatRows(rows, styleFor(terminal)).join("\n")}\n`);
    writeFacts(terminal, own, facts, text);
  },
});
