import { intArg } from "../../lib/kit/basicArgs.ts";
import type { Command, Terminal } from "../Command.ts";
import { type AppConfig, loadConfig, settingsFor } from "../config.ts";
import { AppError } from "../errors.ts";
import { mergeSettings, option, parseOwnFlags } from "../options.ts";
import { waitForStop } from "../untilStopped.ts";

const own = {
  sample: option(
    intArg({ min: 1, max: 1_000_000 }),
    10,
    "With verify: how many masterchain blocks, and accounts of each kind, are compared.",
  ),
};

export const index: Command = {
  name: "index",
  summary: "Write the index of a network and answer nobody; or tell how far it is, or compare it with the chain.",
  usage: ["[status | verify]"],
  words: ["status", "verify"],
  examples: [
    "tongate index --network mainnet --database postgres://user@host/index",
    "tongate index --network mainnet --database postgres://user@host/index --from genesis",
    "tongate index status --network mainnet",
    "tongate index verify --sample 20 --network mainnet",
  ],
  options: own,
  settings: settingsFor(
    "data",
    "network",
    "globalConfig",
    "networks",
    "database",
    "from",
    "keep",
    "metadata",
    "ipfsGateway",
    "metrics",
    "logLevel",
    "trust",
    "blockMs",
    "demo",
    "shards",
  ),
  run: async (terminal, args) => {
    const { own: given, rest } = parseOwnFlags(args, own);
    const { sample } = mergeSettings(own, [given]).values;
    const { config, words } = loadConfig(rest);
    const [word, ...others] = words;
    if (others.length > 0) throw new AppError("app/usage", `"index" does not know "${words.join(" ")}"`);
    if (given.size > 0 && word !== "verify")
      throw new AppError("app/usage", "--sample means something for verify only");
    if (word === "status")
      await (await import("../service/index/showIndexStatus.ts")).showIndexStatus(config, terminal);
    else if (word === "verify")
      await (await import("../service/index/verifyIndex.ts")).verifyIndex(config, sample, terminal);
    else if (word === undefined) await runIndex(config, terminal);
    else throw new AppError("app/usage", `"index" does not know "${word}"; there are: status, verify`);
  },
};

async function runIndex(config: AppConfig, terminal: Terminal): Promise<void> {
  if (!config.index) throw new AppError("app/config", "--no-index leaves nothing to do for index");
  const { indexConfigured } = await import("../serve.ts");
  const running = await indexConfigured(config, terminal);
  await waitForStop();
  terminal.write("\nstopping…\n");
  await running.close();
  terminal.write("stopped\n");
}
