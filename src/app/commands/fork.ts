import { declareCommand } from "../client/declareCommand.ts";
import { AppError } from "../errors.ts";
import { listLocal, postLocal } from "../local/localControl.ts";
import { notWords } from "../terminal/commandLine.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

export const fork = declareCommand({
  name: "fork",
  summary: "Show the network that the running local network is a fork of, or fetch accounts of it in advance.",
  usage: ["", "fetch ADDRESS…"],
  examples: ["tongate fork", "tongate fork fetch EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"],
  options: jsonOption,
  server: "local",
  run: async (terminal, { config, words, own }) => {
    const [action, ...addresses] = words;
    if (action !== undefined && (action !== "fetch" || addresses.length === 0))
      throw new AppError("app/usage", `fork takes nothing, or fetch and addresses${notWords(words)}`);
    const answer = await (action === undefined
      ? listLocal(config, "fork")
      : postLocal(config, "forkFetch", { addresses }));
    const [found]: readonly Readonly<Record<string, unknown>>[] = Array.isArray(answer) ? answer : [];
    writeFacts(terminal, own, found ?? null, () => (found === undefined ? noFork : describe(found)));
  },
});

const noFork = "this network continues no other; start one with tongate --fork mainnet\n";

function describe({ origin, block, accounts }: Readonly<Record<string, unknown>>): string {
  return `a fork of ${String(origin)} at block ${String(Object(block).seqno)}: ${String(accounts)} accounts fetched\n`;
}
