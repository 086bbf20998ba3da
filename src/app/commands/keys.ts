import { KeyFile } from "../../api/access/KeyFile.ts";
import { type ApiKey, makeApiKey } from "../../api/access/keys.ts";
import { systemClock } from "../../lib/clock.ts";
import { textArg } from "../../lib/kit/basicArgs.ts";
import { systemRandom } from "../../lib/random.ts";
import type { Terminal } from "../Command.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { type AppConfig, settingsFor } from "../config.ts";
import { AppError } from "../errors.ts";
import { option, textsArg } from "../options.ts";
import { notWords } from "../terminal/commandLine.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

const ownOptions = {
  owner: option(
    textArg({ minLength: 1, maxLength: 200 }),
    undefined,
    "With add: the owner of the key; all keys of one owner share a rate limit. Unset: the name.",
    { value: "NAME" },
  ),
  plan: option(textArg({ minLength: 1, maxLength: 200 }), "free", "With add: the plan that sets the rate limit.", {
    value: "PLAN",
  }),
  networks: option(
    textsArg('names of networks joined by commas, or "*" for all', (each) => (each === "" ? undefined : each)),
    "*",
    "With add: networks that accept the key, joined by commas.",
    { value: "NETWORKS" },
  ),
  ...jsonOption,
};

export const keys = declareCommand({
  name: "keys",
  summary: "Add, list or revoke API keys; a running server applies changes within a second.",
  usage: ["add NAME", "list", "revoke ID"],
  words: ["add", "list", "revoke"],
  examples: [
    "tongate keys add shop",
    "tongate keys add shop --owner alice --plan plus --networks mainnet,testnet",
    "tongate keys list",
    "tongate keys revoke 1f2e3d4c5b",
  ],
  options: ownOptions,
  settings: settingsFor("data", "plans"),
  run: async (terminal, { config, words, own }) => {
    const [action, subject, ...more] = words;
    const file = new KeyFile(config.data);
    if (action === "add" && subject !== undefined && more.length === 0) addKey(terminal, file, subject, own, config);
    else if (action === "list" && subject === undefined) listKeys(terminal, file, own);
    else if (action === "revoke" && subject !== undefined && more.length === 0) revokeKey(terminal, file, subject, own);
    else throw new AppError("app/usage", `keys takes "add NAME", "list" or "revoke ID"${notWords(words)}`);
  },
});

interface KeyFlags {
  readonly owner: string | undefined;
  readonly plan: string;
  readonly networks: readonly string[];
  readonly json: boolean;
}

function addKey(terminal: Terminal, file: KeyFile, name: string, flags: KeyFlags, { plans }: AppConfig): void {
  const { owner = name, plan, networks } = flags;
  if (!Object.hasOwn(plans, plan)) {
    const known = Object.keys(plans).join(", ");
    throw new AppError("app/usage", `--plan cannot be "${plan}"; give one of ${known}`);
  }
  const { secret, event } = makeApiKey({ name, owner, plan, networks }, systemClock.now(), systemRandom);
  file.append(event);
  terminal.writeError(`added ${event.id} for ${owner}, plan ${plan}; this is the only time the key is shown:\n`);
  writeFacts(terminal, flags, { id: event.id, name, owner, plan, networks, key: secret }, () => `${secret}\n`);
}

function revokeKey(terminal: Terminal, file: KeyFile, id: string, format: Pick<KeyFlags, "json">): void {
  const key = file.read().keys.find((each) => each.id === id);
  if (key === undefined)
    throw new AppError("app/usage", `key ${id} does not exist; "tongate keys list" shows all keys`);
  const revokedAt = key.revokedAt ?? Math.floor(systemClock.now() / 1000);
  if (key.revokedAt === undefined) file.append({ kind: "revoked", id, revokedAt });
  writeFacts(terminal, format, factsOf({ ...key, revokedAt }), () => `revoked ${id} (${key.name})\n`);
}

function listKeys(terminal: Terminal, file: KeyFile, format: Pick<KeyFlags, "json">): void {
  const { keys: all, badLines } = file.read();
  writeFacts(terminal, format, all.map(factsOf), () => formatKeys(all));
  if (badLines.length > 0) terminal.writeError(`the key file has damaged lines: ${badLines.join(", ")}\n`);
}

/** What may be shown of a key. */
function factsOf({ id, name, owner, plan, networks, createdAt, lastUsedAt, revokedAt }: ApiKey) {
  return { id, name, owner, plan, networks, createdAt, lastUsedAt, revokedAt };
}

function formatKeys(all: readonly ApiKey[]): string {
  const rows = [["id", "name", "owner", "plan", "networks", "created", "last used", "revoked"], ...all.map(rowOf)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function rowOf({ id, name, owner, plan, networks, createdAt, lastUsedAt, revokedAt }: ApiKey): string[] {
  const time = (at: number | undefined) =>
    at === undefined ? "-" : new Date(at * 1000).toISOString().replace(".000Z", "Z");
  return [id, name, owner, plan, networks.join(","), time(createdAt), time(lastUsedAt), time(revokedAt)];
}
