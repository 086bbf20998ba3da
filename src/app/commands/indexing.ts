import { intArg } from "../../lib/kit/basicArgs.ts";
import type { Terminal } from "../Command.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { type AppConfig, settingsFor } from "../config.ts";
import { AppError } from "../errors.ts";
import { option } from "../options.ts";
import { runUntilStopped, systemStop } from "../start/untilStopped.ts";
import { notWords } from "../terminal/commandLine.ts";
import { jsonOption } from "../terminal/writeFacts.ts";

const usualSample = 10;

const ownOptions = {
  sample: option(
    intArg({ min: 1, max: 1_000_000 }),
    undefined,
    "With verify and import: how many masterchain blocks, and accounts of each kind, to compare with the chain; unset: 10.",
  ),
  json: { ...jsonOption.json, about: "With status and verify: print one JSON document, for programs." },
};

export const index = declareCommand({
  name: "index",
  summary:
    "Index a network without serving HTTP requests. status shows the progress; verify compares a sample with the chain. " +
    "export writes the index to files; import loads them into an empty database and verifies a sample.",
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
  options: ownOptions,
  server: "configured",
  settings: settingsFor(
    "globalConfig",
    "database",
    "metadata",
    "ipfsGateway",
    "from",
    "keep",
    "scope",
    "indexWorkers",
    "metrics",
    "logLevel",
    "trust",
    "blockMs",
    "demo",
    "shards",
  ),
  run: async (terminal, { config, words, own }) => {
    const [word] = words;
    if (own.sample !== undefined && word !== "verify" && word !== "import")
      throw new AppError("app/usage", "--sample applies only to index verify and index import");
    if (own.json && word !== "status" && word !== "verify")
      throw new AppError("app/usage", "--json applies only to index status and index verify");
    await chooseAction(words)(config, terminal, { json: own.json, sample: own.sample ?? usualSample });
  },
});

interface IndexFlags {
  readonly sample: number;
  readonly json: boolean;
}

type Action = (config: AppConfig, terminal: Terminal, flags: IndexFlags) => Promise<void>;

function chooseAction([word, ...others]: readonly string[]): Action {
  const [folder] = others;
  const isFolderWord = word === "export" || word === "import";
  if (isFolderWord && (folder === undefined || others.length > 1))
    throw new AppError("app/usage", `index ${word} takes one folder${notWords(others)}`);
  if (!isFolderWord && others.length > 0) throw refuseWords([word ?? "", ...others]);
  switch (word) {
    case undefined:
      return runIndex;
    case "status":
      return async (config, terminal, flags) =>
        (await import("../indexing/showIndexStatus.ts")).showIndexStatus(config, terminal, flags);
    case "verify":
      return async (config, terminal, flags) =>
        (await import("../indexing/verifyIndex.ts")).verifyIndex(config, flags, terminal);
    case "export":
      return async (config, terminal) =>
        (await import("../indexing/exportFolder.ts")).exportFolder(config, folder ?? "", terminal);
    case "import":
      return async (config, terminal, { sample }) =>
        (await import("../indexing/importFolder.ts")).importFolder(config, { folder: folder ?? "", sample }, terminal);
    default:
      throw refuseWords([word]);
  }
}

function refuseWords(words: readonly string[]): AppError {
  const forms = 'index takes nothing, "status", "verify", "export FOLDER" or "import FOLDER"';
  return new AppError("app/usage", `${forms}${notWords(words)}`);
}

async function runIndex(config: AppConfig, terminal: Terminal): Promise<void> {
  if (!config.index) throw new AppError("app/config", "index cannot run with --no-index");
  const open = async () => (await import("../start/serve.ts")).indexConfigured(config, terminal);
  await runUntilStopped(open, config.drainMs, terminal, systemStop(config.logLevel));
}
