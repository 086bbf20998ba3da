import { boolArg, intArg, textArg } from "../../lib/kit/basicArgs.ts";
import type { Command } from "../Command.ts";
import { loadConfig, settingsFor } from "../config.ts";
import { AppError } from "../errors.ts";
import { mergeSettings, option, parseOwnFlags } from "../options.ts";
import type { NamedTransaction } from "../replay/findNamed.ts";

const own = {
  block: option(
    textArg({ minLength: 1, maxLength: 128 }),
    undefined,
    "A whole block instead of one transaction: workchain, shard in hex and seqno, with commas between them.",
    { value: "BLOCK" },
  ),
  account: option(
    textArg({ minLength: 1, maxLength: 128 }),
    undefined,
    "The account of a transaction that is named by its hash alone; without it the index is asked.",
  ),
  threads: option(
    intArg({ min: 0, max: 64 }),
    undefined,
    "Threads that replay a block beside the main one; by default one for every other core, if the block is large.",
  ),
  steps: option(boolArg(), false, "Print every step of the code: gas, instruction, stack.", {
    isFlag: true,
  }),
};

export const replay: Command = {
  name: "replay",
  summary: "Run a transaction of a network again from proved state, or all of a block, and compare the hashes.",
  usage: ["HASH", "ADDRESS LT HASH", "--block BLOCK"],
  examples: [
    "tongate replay a81f9c1fbd3cc1d2a1d6a7f7e0cbb0e1f1c4f2d4c2d5dd1d0f1b9a3f1c2d3e4f --network mainnet",
    "tongate replay EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N 41433522000001 a81f9c1fbd3cc1d2a1d6a7f7e0cbb0e1f1c4f2d4c2d5dd1d0f1b9a3f1c2d3e4f --network mainnet",
    "tongate replay --block 0,8000000000000000,40000000 --network mainnet",
  ],
  options: own,
  settings: settingsFor("data", "network", "globalConfig", "networks", "database", "host", "port", "logLevel", "trust"),
  run: async (terminal, args) => {
    const { own: given, rest } = parseOwnFlags(args, own);
    const { block, account, threads, steps } = mergeSettings(own, [given]).values;
    const { config, words } = loadConfig(rest);
    const { replayBlockOf, replayTransactionOf } = await import("../replay/replayNetwork.ts");
    if (block !== undefined) {
      if (words.length > 0) throw new AppError("app/usage", `"replay --block" does not know "${words.join(" ")}"`);
      await replayBlockOf(config, block, { threads }, terminal);
      return;
    }
    await replayTransactionOf(config, nameOf(words, account), { steps }, terminal);
  },
};

/** A transaction by its hash alone, or by its address, lt and hash. */
function nameOf(words: readonly string[], account: string | undefined): NamedTransaction {
  const [first, lt, hash, ...more] = words;
  if (first !== undefined && lt === undefined) return { kind: "hash", hash: first, account };
  if (first === undefined || lt === undefined || hash === undefined || more.length > 0)
    throw new AppError("app/usage", "replay takes the hash of a transaction, or its address, lt and hash, or --block");
  return { kind: "point", address: first, lt, hash };
}
