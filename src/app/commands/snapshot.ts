import { declareCommand } from "../client/declareCommand.ts";
import type { AppConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import { downloadLocal, listLocal, postLocal } from "../local/localControl.ts";
import { notWords } from "../terminal/commandLine.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

export const snapshot = declareCommand({
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
  options: jsonOption,
  server: "local",
  run: async (terminal, { config, words, own }) => {
    const [word = "", ...rest] = words;
    const [counts, act] = acts.get(word) ?? [];
    if (act === undefined || counts === undefined || !counts.includes(rest.length)) {
      const forms = 'snapshot takes "make [NAME]", "list", "restore NAME", "delete NAME" or "export NAME FILE"';
      throw new AppError("app/usage", `${forms}${notWords(words)}`);
    }
    const { facts, text } = await act(config, rest);
    writeFacts(terminal, own, facts, () => text);
  },
});

type Act = (config: AppConfig, words: readonly string[]) => Promise<Done>;

/** What an action did: as facts, and as text. */
interface Done {
  readonly facts: unknown;
  readonly text: string;
}

async function make(config: AppConfig, [name]: readonly string[]): Promise<Done> {
  const facts = await postLocal(config, "makeSnapshot", name === undefined ? {} : { name });
  return { facts, text: `made snapshot ${facts.name} at masterchain block ${facts.mc_seqno}\n` };
}

async function list(config: AppConfig): Promise<Done> {
  const facts = await listLocal(config, "snapshots");
  const lines = facts.map((each) => {
    const time = new Date(Number(each.made_at) * 1_000).toISOString().replace(".000Z", "Z");
    return `${each.name}  block ${each.mc_seqno}, made ${time}, ${each.bytes} bytes\n`;
  });
  return { facts, text: lines.length === 0 ? "no snapshots\n" : lines.join("") };
}

async function restore(config: AppConfig, [name]: readonly string[]): Promise<Done> {
  const facts = await postLocal(config, "restoreSnapshot", { name });
  const text = `restored snapshot ${name}: the chain continues from masterchain block ${facts.mc_seqno}\n`;
  return { facts: { name, ...facts }, text };
}

async function remove(config: AppConfig, [name]: readonly string[]): Promise<Done> {
  await postLocal(config, "deleteSnapshot", { name });
  return { facts: { name, deleted: true }, text: `deleted snapshot ${name}\n` };
}

async function download(config: AppConfig, [name = "", file = ""]: readonly string[]): Promise<Done> {
  const bytes = await downloadLocal(config, `exportSnapshot?name=${encodeURIComponent(name)}`, file);
  return { facts: { name, file, bytes }, text: `wrote snapshot ${name}, ${bytes} bytes, to ${file}\n` };
}

const acts = new Map<string, readonly [counts: readonly number[], act: Act]>([
  ["make", [[0, 1], make]],
  ["list", [[0], list]],
  ["restore", [[1], restore]],
  ["delete", [[1], remove]],
  ["export", [[2], download]],
]);
