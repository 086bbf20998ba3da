import { boolArg, intArg, oneOfArg, textArg } from "../../lib/kit/basicArgs.ts";
import { openLog } from "../../lib/log.ts";
import type { Command, Terminal } from "../Command.ts";
import { refuseArguments } from "../commandLine.ts";
import type { LocalnetSettings } from "../LocalnetSettings.ts";
import { mergeSettings, type OptionValues, option, parseFlags } from "../options.ts";
import { shardsArg } from "../shardsArg.ts";
import { waitForStop } from "../untilStopped.ts";
import { versionArg } from "../versionArg.ts";

const path = textArg({ minLength: 1, maxLength: 4096 });

const options = {
  data: option(path, ".tongate/localnet", "Folder of the chain."),
  port: option(intArg({ min: 0, max: 65_535 }), 4443, "Port for lite clients of this machine."),
  blockMs: option(intArg({ min: 200, max: 3_600_000 }), 1_000, "Time between blocks, in milliseconds."),
  onDemand: option(boolArg(), false, "Make blocks only when there is work.", { isFlag: true }),
  seed: option(
    textArg({ minLength: 1, maxLength: 256 }),
    "tongate",
    "Text from which the keys of a new network are derived: its wallets and its validator.",
  ),
  shards: option(shardsArg, undefined, "Number of basechain shards of a new network."),
  globalVersion: option(
    versionArg,
    undefined,
    "Global version of a new network; default 14, that of the main network.",
  ),
  demo: option(oneOfArg(["on", "off"]), "on", "Whether a new network gets the demo set of contracts."),
  traffic: option(intArg({ min: 0, max: 10_000 }), 0, "Transfers per second of the traffic generator."),
  snapshot: option(path, undefined, "File to write the chain to, instead of running it."),
  restore: option(path, undefined, "Chain archive to begin from; the folder must be new."),
  repair: option(boolArg(), false, "Drop the blocks after a damaged part of the chain.", { isFlag: true }),
  import: option(path, undefined, "Folder of a recorded chain to serve instead, read-only."),
};

type Flags = OptionValues<typeof options>;

export const localnet: Command = {
  name: "localnet",
  summary: "Run a local TON network and serve it to lite clients.",
  examples: [
    "tongate localnet",
    "tongate localnet --block-ms 400 --data .tongate/mine --port 4443",
    "tongate localnet --on-demand --seed demo",
    "tongate localnet --traffic 20",
    "tongate localnet --demo off",
    "tongate localnet --shards 4",
    "tongate localnet --global-version 15 --data .tongate/next",
    "tongate localnet --snapshot chain.archive",
    "tongate localnet --restore chain.archive --data .tongate/copy",
    "tongate localnet --import recorded/",
  ],
  options,
  run: async (terminal, args) => {
    const { words, settings } = parseFlags(args, options);
    refuseArguments("localnet", words);
    const flags = mergeSettings(options, [settings]).values;
    if (flags.snapshot !== undefined) {
      await snapshot(flags.data, flags.snapshot, terminal);
      return;
    }
    const running =
      flags.import === undefined
        ? await (await import("../openLocalnet.ts")).openLocalnet(settingsOf(flags), terminal)
        : await (await import("../openRecordedNet.ts")).openRecordedNet(
            { folder: flags.import, port: flags.port },
            terminal,
          );
    await waitForStop();
    terminal.write("\nstopping…\n");
    await running.close();
    terminal.write("stopped\n");
  },
};

async function snapshot(folder: string, path: string, terminal: Terminal): Promise<void> {
  const { snapshotChain } = await import("../../localnet/store/snapshotChain.ts");
  const rounds = await snapshotChain(folder, path, openLog({ level: "warn" }));
  terminal.write(`wrote the chain of ${folder}, ${rounds} masterchain blocks, to ${path}\n`);
}

function settingsOf(flags: Flags): LocalnetSettings {
  const { onDemand, blockMs, data: folder, port, seed, traffic, shards, globalVersion, restore, demo, repair } = flags;
  const pace = onDemand ? ({ kind: "onDemand" } as const) : ({ kind: "steady", blockMs } as const);
  return { pace, folder, port, seed, traffic, shards, globalVersion, restore, demo, repair };
}
