import type { Command, Terminal } from "../Command.ts";
import { type AppConfig, loadConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import { serverSettings } from "../loadCommand.ts";
import { downloadLocal, listLocal, postLocal } from "../local/localControl.ts";
import { notWords } from "../terminal/commandLine.ts";

export const snapshot: Command = {
  name: "snapshot",
  summary: "Make, list, restore, delete or export snapshots of the running local network, without stopping it.",
  usage: ["make [NAME]", "list", "restore NAME", "delete NAME", "export NAME FILE"],
  words: ["make", "list", "restore", "delete", "export"],
  examples: [
    "tongate snapshot make before-upgrade",
    "tongate snapshot list",
    "tongate snapshot restore before-upgrade",
    "tongate snapshot export before-upgrade chain.archive",
    "tongate snapshot delete before-upgrade --port 9000",
  ],
  settings: serverSettings("networks"),
  run: async (terminal, args) => {
    const { config, words } = loadConfig(args);
    const [word = "", ...rest] = words;
    const [count, act] = acts.get(word) ?? [];
    if (act === undefined || count === undefined || !count.includes(rest.length)) {
      const forms = 'snapshot takes "make [NAME]", "list", "restore NAME", "delete NAME" or "export NAME FILE"';
      throw new AppError("app/usage", `${forms}${notWords(words)}`);
    }
    await act(config, terminal, rest);
  },
};

type Act = (config: AppConfig, terminal: Terminal, words: readonly string[]) => Promise<void>;

const acts = new Map<string, readonly [count: readonly number[], act: Act]>([
  [
    "make",
    [
      [0, 1],
      async (config, terminal, [name]) => {
        const made = await postLocal(config, "makeSnapshot", name === undefined ? {} : { name });
        terminal.write(`made snapshot ${made.name} at masterchain block ${made.mc_seqno}\n`);
      },
    ],
  ],
  [
    "list",
    [
      [0],
      async (config, terminal) => {
        const snapshots = await listLocal(config, "snapshots");
        if (snapshots.length === 0) terminal.write("no snapshots\n");
        for (const each of snapshots) {
          const time = new Date(Number(each.made_at) * 1_000).toISOString().replace(".000Z", "Z");
          terminal.write(`${each.name}  block ${each.mc_seqno}, made ${time}, ${each.bytes} bytes\n`);
        }
      },
    ],
  ],
  [
    "restore",
    [
      [1],
      async (config, terminal, [name]) => {
        const { mc_seqno: seqno } = await postLocal(config, "restoreSnapshot", { name });
        terminal.write(`restored snapshot ${name}: the chain continues from masterchain block ${seqno}\n`);
      },
    ],
  ],
  [
    "delete",
    [
      [1],
      async (config, terminal, [name]) => {
        await postLocal(config, "deleteSnapshot", { name });
        terminal.write(`deleted snapshot ${name}\n`);
      },
    ],
  ],
  [
    "export",
    [
      [2],
      async (config, terminal, [name = "", file = ""]) => {
        const bytes = await downloadLocal(config, `exportSnapshot?name=${encodeURIComponent(name)}`, file);
        terminal.write(`wrote snapshot ${name}, ${bytes} bytes, to ${file}\n`);
      },
    ],
  ],
]);
