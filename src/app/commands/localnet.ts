import { existsSync } from "node:fs";
import { join } from "node:path";
import { boolArg, intArg, oneOfArg, textArg } from "../../lib/kit/basicArgs.ts";
import { chainFiles } from "../../localnet/store/chainFiles.ts";
import type { Command, Terminal } from "../Command.ts";
import { localFolder } from "../dataFolder.ts";
import { AppError } from "../errors.ts";
import type { LocalnetSettings } from "../local/LocalnetSettings.ts";
import { shardsArg, versionArg } from "../localnetArgs.ts";
import { mergeSettings, type OptionValues, option, parseFlags } from "../options.ts";
import { runUntilStopped, systemStop } from "../start/untilStopped.ts";
import { refuseArguments } from "../terminal/commandLine.ts";

const path = textArg({ minLength: 1, maxLength: 4096 });

const options = {
  data: option(path, ".tongate", "Folder for all data; the chain is in its subfolder localnet.", { value: "FOLDER" }),
  port: option(intArg({ min: 0, max: 65_535 }), 4443, "Port to listen on for lite clients of this machine.", {
    value: "PORT",
  }),
  blockMs: option(intArg({ min: 200, max: 3_600_000 }), 1_000, "Time between blocks, in milliseconds."),
  onDemand: option(boolArg(), false, "Make a block only when there is a message to process.", { isFlag: true }),
  seed: option(
    textArg({ minLength: 1, maxLength: 256 }),
    "tongate",
    "Text from which a new network derives the keys of its wallets and validators.",
    { value: "TEXT" },
  ),
  shards: option(
    shardsArg,
    undefined,
    "Number of basechain shards of a new network, or `auto`: they split and merge by load.",
  ),
  globalVersion: option(
    versionArg,
    undefined,
    "Global version of a new network; default 14, that of the main network.",
  ),
  demo: option(
    oneOfArg(["on", "off"]),
    undefined,
    "Whether to deploy the demo contracts; unset: as chosen for this chain before, or on.",
  ),
  traffic: option(intArg({ min: 0, max: 10_000 }), 0, "Test transfers to make per second."),
  trafficSeconds: option(
    intArg({ min: 1, max: 86_400 }),
    undefined,
    "After how many seconds the test transfers end; unset: with the network.",
  ),
  snapshot: option(path, undefined, "Write the chain to this file instead of running it.", { value: "FILE" }),
  restore: option(path, undefined, "Start from the chain in this file; the data folder must be new.", {
    value: "FILE",
  }),
  repair: option(
    boolArg(),
    false,
    "Continue without the damaged and missing blocks of the chain, and rebuild its index.",
    {
      isFlag: true,
    },
  ),
  import: option(path, undefined, "Serve the recorded chain in this folder, read-only, instead of running one.", {
    value: "FOLDER",
  }),
};

type Flags = OptionValues<typeof options>;

export const localnet: Command = {
  name: "localnet",
  summary: "Run a local TON network and serve it to lite clients.",
  examples: [
    "tongate localnet",
    "tongate localnet --block-ms 400 --data .tongate-mine --port 4443",
    "tongate localnet --on-demand --seed demo",
    "tongate localnet --traffic 20",
    "tongate localnet --demo off",
    "tongate localnet --shards 4",
    "tongate localnet --shards auto --traffic 500 --traffic-seconds 60",
    "tongate localnet --global-version 15 --data .tongate-next",
    "tongate localnet --snapshot chain.archive",
    "tongate localnet --restore chain.archive --data .tongate-copy",
    "tongate localnet --import recorded/",
  ],
  options,
  run: async (terminal, args) => {
    const { words, settings } = parseFlags(args, options);
    refuseArguments("localnet", words);
    const flags = mergeSettings(options, [settings]).values;
    if (flags.snapshot !== undefined) {
      await snapshot(chainFolder(flags.data), flags.snapshot, terminal);
      return;
    }
    const open = async () => {
      if (flags.import === undefined)
        return (await import("../local/openLocalnet.ts")).openLocalnet(settingsOf(flags), terminal);
      const { openRecordedNet } = await import("../local/openRecordedNet.ts");
      return openRecordedNet({ folder: flags.import, port: flags.port }, terminal);
    };
    await runUntilStopped(open, 0, terminal, systemStop("warn"));
  },
};

async function snapshot(folder: string, path: string, terminal: Terminal): Promise<void> {
  const { snapshotChain } = await import("../../localnet/store/snapshotChain.ts");
  const rounds = await snapshotChain(folder, path);
  terminal.write(`wrote the chain of ${folder}, ${rounds} masterchain blocks, to ${path}\n`);
}

/** The folder of the chain in a data folder; refuses a folder that is itself one, as earlier versions required. */
function chainFolder(data: string): string {
  if (existsSync(join(data, chainFiles.header))) {
    const advice = `move it to NEW/localnet and give --data NEW`;
    throw new AppError("app/config", `${data} is the folder of a chain, not a data folder; ${advice}`);
  }
  return localFolder({ data });
}

function settingsOf(flags: Flags): LocalnetSettings {
  const folder = chainFolder(flags.data);
  const { onDemand, blockMs, port, seed, shards, globalVersion, restore, demo, repair } = flags;
  const pace = onDemand ? ({ kind: "onDemand" } as const) : ({ kind: "steady", blockMs } as const);
  const { traffic, trafficSeconds } = flags;
  return { pace, folder, port, seed, traffic, trafficSeconds, shards, globalVersion, restore, demo, repair };
}
