import { boolArg, intArg, textArg } from "../../lib/kit/basicArgs.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { settingsFor } from "../config.ts";
import { AppError } from "../errors.ts";
import { logLevelOption, option } from "../options.ts";
import type { NamedTransaction } from "../replay/findNamed.ts";
import { notWords } from "../terminal/commandLine.ts";
import { jsonOption } from "../terminal/writeFacts.ts";

const shortText = textArg({ minLength: 1, maxLength: 128 });

const ownOptions = {
  block: option(
    shortText,
    undefined,
    "Replay a whole block: its workchain, shard in hex and seqno, joined by commas.",
    { value: "BLOCK" },
  ),
  account: option(
    shortText,
    undefined,
    "Account of the transaction, when only the hash is given; unset: looked up in the index.",
    { value: "ADDRESS" },
  ),
  threads: option(
    intArg({ min: 0, max: 64 }),
    undefined,
    "Extra threads that replay a block; unset: one for each other core if the block is large, else none.",
  ),
  steps: option(boolArg(), false, "Print each step of the machine: gas, instruction, stack from its top down.", {
    isFlag: true,
  }),
  from: option(intArg({ min: 1, max: 1_000_000_000 }), undefined, "With --steps: the first step to print.", {
    value: "STEP",
  }),
  break: option(
    textArg({ minLength: 1, maxLength: 2000 }),
    undefined,
    'Print only the steps at which a line of the source begins (FILE:LINE), a method begins, or the run ends ("exit"); several joined by commas.',
    { value: "PLACES" },
  ),
  logLevel: logLevelOption("warn"),
  ...jsonOption,
};

export const replay = declareCommand({
  name: "replay",
  summary: "Run a transaction, or all transactions of a block, again from proved state, and compare the hashes.",
  usage: ["HASH", "ADDRESS LT HASH", "--block BLOCK"],
  examples: [
    "tongate replay a81f9c1fbd3cc1d2a1d6a7f7e0cbb0e1f1c4f2d4c2d5dd1d0f1b9a3f1c2d3e4f --network mainnet",
    "tongate replay EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N 41433522000001 a81f9c1fbd3cc1d2a1d6a7f7e0cbb0e1f1c4f2d4c2d5dd1d0f1b9a3f1c2d3e4f --network mainnet",
    "tongate replay --block 0,8000000000000000,40000000 --network mainnet",
    "tongate replay a81f9c1fbd3cc1d2a1d6a7f7e0cbb0e1f1c4f2d4c2d5dd1d0f1b9a3f1c2d3e4f --steps --from 100",
    "tongate replay a81f9c1fbd3cc1d2a1d6a7f7e0cbb0e1f1c4f2d4c2d5dd1d0f1b9a3f1c2d3e4f --break counter.tolk:12,exit",
  ],
  options: ownOptions,
  server: "configured",
  settings: settingsFor("globalConfig", "database", "trust"),
  run: async (terminal, { config: loaded, words, own }) => {
    const { block, account, threads, from, json, logLevel, break: breaks } = own;
    const steps = own.steps || breaks !== undefined;
    const config = { ...loaded, logLevel };
    if (from !== undefined && !steps) throw new AppError("app/usage", "--from applies only to replay --steps");
    const { replayBlockOf, replayTransactionOf } = await import("../replay/replayNetwork.ts");
    if (block !== undefined) {
      if (words.length > 0) throw new AppError("app/usage", `replay --block takes no arguments${notWords(words)}`);
      await replayBlockOf(config, block, { threads, json }, terminal);
      return;
    }
    await replayTransactionOf(
      config,
      nameOf(words, account),
      { fromStep: steps ? (from ?? 1) : undefined, breaks, json },
      terminal,
    );
  },
});

/** A transaction by its hash alone, or by its address, lt and hash. */
function nameOf(words: readonly string[], account: string | undefined): NamedTransaction {
  const [first, lt, hash, ...more] = words;
  if (first !== undefined && lt === undefined) return { kind: "hash", hash: first, account };
  if (first === undefined || lt === undefined || hash === undefined || more.length > 0)
    throw new AppError("app/usage", `replay takes HASH, or ADDRESS LT HASH, or --block BLOCK${notWords(words)}`);
  return { kind: "point", address: first, lt, hash };
}
