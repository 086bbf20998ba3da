import { intArg } from "../../lib/kit/basicArgs.ts";
import type { Command, Terminal } from "../Command.ts";
import { type AppConfig, loadConfig, settingsFor } from "../config.ts";
import { AppError } from "../errors.ts";
import { mergeSettings, option, parseOwnFlags } from "../options.ts";
import { stopService, systemStop, waitForStop } from "../untilStopped.ts";

const own = {
  sample: option(
    intArg({ min: 1, max: 1_000_000 }),
    10,
    "With verify and import: how many masterchain blocks, and accounts of each kind, are compared.",
  ),
};

export const index: Command = {
  name: "index",
  summary:
    "Write the index of a network and answer nobody; or show how far it is, or compare it with the chain. " +
    "Export writes it into files; import loads them into an empty database and compares a sample with the chain.",
  usage: ["[status | verify]", "export FOLDER", "import FOLDER"],
  words: ["status", "verify", "export", "import"],
  examples: [
    "tongate index --network mainnet --database postgres://user@host/index",
    "tongate index --network mainnet --database postgres://user@host/index --from genesis",
    "tongate index --network mainnet --database postgres://user@host/index --from genesis --index-workers 4",
    "tongate index --network mainnet --database postgres://user@host/index --scope wallets.json",
    "tongate index status --network mainnet",
    "tongate index verify --sample 20 --network mainnet",
    "tongate index export ./mainnet-index --network mainnet --database postgres://user@host/index",
    "tongate index import ./mainnet-index --network mainnet --database postgres://user@host/index",
  ],
  options: own,
  settings: settingsFor(
    "data",
    "network",
    "globalConfig",
    "networks",
    "database",
    "metadata",
    "ipfsGateway",
    "from",
    "keep",
    "scope",
    "indexWorkers",
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
    const [word] = words;
    if (given.size > 0 && word !== "verify" && word !== "import")
      throw new AppError("app/usage", "--sample means something for verify and import only");
    await chooseAction(words)(config, terminal, sample);
  },
};

type Action = (config: AppConfig, terminal: Terminal, sample: number) => Promise<void>;

function chooseAction([word, ...others]: readonly string[]): Action {
  const [folder] = others;
  const isFolderWord = word === "export" || word === "import";
  if (isFolderWord && (folder === undefined || others.length > 1))
    throw new AppError("app/usage", `"index ${word}" needs one folder`);
  if (!isFolderWord && others.length > 0)
    throw new AppError("app/usage", `"index" does not know "${[word, ...others].join(" ")}"`);
  switch (word) {
    case undefined:
      return runIndex;
    case "status":
      return async (config, terminal) =>
        (await import("../service/index/showIndexStatus.ts")).showIndexStatus(config, terminal);
    case "verify":
      return async (config, terminal, sample) =>
        (await import("../service/index/verifyIndex.ts")).verifyIndex(config, sample, terminal);
    case "export":
      return async (config, terminal) =>
        (await import("../service/index/exportFolder.ts")).exportFolder(config, folder ?? "", terminal);
    case "import":
      return async (config, terminal, sample) =>
        (await import("../service/index/importFolder.ts")).importFolder(
          config,
          { folder: folder ?? "", sample },
          terminal,
        );
    default:
      throw new AppError("app/usage", `"index" does not know "${word}"; there are: status, verify, export, import`);
  }
}

async function runIndex(config: AppConfig, terminal: Terminal): Promise<void> {
  if (!config.index) throw new AppError("app/config", "--no-index leaves nothing to do for index");
  const { indexConfigured } = await import("../serve.ts");
  const running = await indexConfigured(config, terminal);
  await waitForStop();
  await stopService(running, config.drainMs, terminal, systemStop(config.logLevel));
}
