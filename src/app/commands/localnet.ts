import { parseArgs } from "node:util";
import { isCoded } from "../../lib/errors.ts";
import { decodeArgs, optional } from "../../lib/kit/arg.ts";
import { boolArg, intArg, oneOfArg, textArg } from "../../lib/kit/basicArgs.ts";
import { openLog } from "../../lib/log.ts";
import type { Command, Terminal } from "../Command.ts";
import { AppError } from "../errors.ts";
import type { LocalnetSettings } from "../LocalnetSettings.ts";
import { shardsArg } from "../shardsArg.ts";
import { untilStopped } from "../untilStopped.ts";

export const localnet: Command = {
  name: "localnet",
  summary: "Run a TON network of your own and serve it to lite clients.",
  examples: [
    "tongate localnet",
    "tongate localnet --block-ms 400 --data .tongate/mine --port 4443",
    "tongate localnet --on-demand --seed demo",
    "tongate localnet --traffic 20",
    "tongate localnet --demo off",
    "tongate localnet --shards 4",
    "tongate localnet --snapshot chain.archive",
    "tongate localnet --restore chain.archive --data .tongate/copy",
    "tongate localnet --import recorded/",
  ],
  run: async (terminal, args) => {
    const flags = parseFlags(args);
    if (flags.snapshot !== undefined) {
      await snapshot(flags.data ?? defaultFolder, flags.snapshot, terminal);
      return;
    }
    const running =
      flags.import === undefined
        ? await (await import("../openLocalnet.ts")).openLocalnet(settingsOf(flags), terminal)
        : await (await import("../openRecordedNet.ts")).openRecordedNet(
            { folder: flags.import, port: flags.port },
            terminal,
          );
    await untilStopped();
    terminal.write("\nstopping…\n");
    await running.close();
    terminal.write("stopped\n");
  },
};

const defaultFolder = ".tongate/localnet";

async function snapshot(folder: string, path: string, terminal: Terminal): Promise<void> {
  const { snapshotChain } = await import("../../localnet/store/snapshotChain.ts");
  const rounds = await snapshotChain(folder, path, openLog({ level: "warn" }));
  terminal.write(`wrote the chain of ${folder}, ${rounds} masterchain blocks, to ${path}\n`);
}

const flagTypes = {
  "block-ms": "string",
  data: "string",
  port: "string",
  seed: "string",
  import: "string",
  traffic: "string",
  shards: "string",
  snapshot: "string",
  restore: "string",
  demo: "string",
  "on-demand": "boolean",
} as const;

const flagArgs = {
  "block-ms": optional(intArg({ min: 200, max: 3_600_000 })),
  data: optional(textArg({ minLength: 1 })),
  port: optional(intArg({ min: 0, max: 65_535 })),
  seed: optional(textArg({ minLength: 1, maxLength: 256 })),
  import: optional(textArg({ minLength: 1 })),
  traffic: optional(intArg({ min: 0, max: 10_000 })),
  shards: optional(shardsArg),
  snapshot: optional(textArg({ minLength: 1 })),
  restore: optional(textArg({ minLength: 1 })),
  demo: optional(oneOfArg(["on", "off"])),
  "on-demand": optional(boolArg()),
};

type Flags = ReturnType<typeof decodeArgs<typeof flagArgs>>;

function parseFlags(args: readonly string[]): Flags {
  const options = Object.fromEntries(Object.entries(flagTypes).map(([name, type]) => [name, { type }]));
  try {
    return decodeArgs(flagArgs, parseArgs({ args: [...args], options, allowPositionals: false }).values);
  } catch (error) {
    if (!isCoded(error, "lib/argument") && !(error instanceof TypeError)) throw error;
    throw new AppError("app/usage", `localnet: ${error.message}`, { cause: error });
  }
}

function settingsOf(flags: Flags): LocalnetSettings {
  const blockMs = flags["block-ms"] ?? 1_000;
  return {
    pace: flags["on-demand"] === true ? { kind: "onDemand" } : { kind: "steady", blockMs },
    folder: flags.data ?? defaultFolder,
    port: flags.port,
    seed: flags.seed ?? "tongate",
    traffic: flags.traffic ?? 0,
    shards: flags.shards,
    restore: flags.restore,
    demo: flags.demo ?? "on",
  };
}
