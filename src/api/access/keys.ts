import { createHash } from "node:crypto";
import { toHex } from "../../lib/bytes.ts";
import { type ArgValues, decodeArgs } from "../../lib/kit/arg.ts";
import { intArg, listArg, oneOfArg, textArg } from "../../lib/kit/basicArgs.ts";
import type { Random } from "../../lib/random.ts";

/** A stored key: everything but the secret. */
export interface ApiKey {
  /** Identifies the key where the secret must not appear. */
  readonly id: string;
  /** SHA-256 of the key in hex: keys are 32 random bytes, so nothing slower is needed. */
  readonly hash: string;
  readonly name: string;
  /** Keys of one owner share one rate. */
  readonly owner: string;
  readonly plan: string;
  /** Names of networks, or `*` for all. */
  readonly networks: readonly string[];
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
  readonly revokedAt: number | undefined;
}

const word = textArg({ minLength: 1, maxLength: 200 });
const time = intArg({ min: 0, max: 2 ** 40 });
const kind = oneOfArg(["added", "revoked"]);
const added = {
  id: word,
  hash: word,
  name: word,
  owner: word,
  plan: word,
  networks: listArg(word, { maxItems: 100 }),
  createdAt: time,
};
const revoked = { id: word, revokedAt: time };

/** One line of the key file: what happened to a key. */
export type KeyEvent =
  | ({ readonly kind: "added" } & ArgValues<typeof added>)
  | ({ readonly kind: "revoked" } & ArgValues<typeof revoked>);

/** Decodes a line that was parsed as JSON; throws "lib/argument" for an unknown form. */
export function decodeKeyEvent(value: unknown): KeyEvent {
  const given: Readonly<Record<string, unknown>> = Object(value);
  return kind.decode(given.kind, "kind") === "added"
    ? { kind: "added", ...decodeArgs(added, given) }
    : { kind: "revoked", ...decodeArgs(revoked, given) };
}

/** The keys after all events, in the order they were added; of two with one id the first counts. */
export function replayKeys(events: readonly KeyEvent[], used: ReadonlyMap<string, number>): readonly ApiKey[] {
  const keys = new Map<string, ApiKey>();
  for (const event of events) {
    const key = keys.get(event.id);
    if (event.kind === "added" && key === undefined) {
      const { kind, ...facts } = event;
      keys.set(event.id, { ...facts, lastUsedAt: used.get(event.id), revokedAt: undefined });
    } else if (event.kind === "revoked" && key !== undefined && key.revokedAt === undefined) {
      keys.set(event.id, { ...key, revokedAt: event.revokedAt });
    }
  }
  return [...keys.values()];
}

/** This many characters of an id may be damaged; another id is as near by chance once in a hundred million. */
const maxDamaged = 2;

/** Whether a line that cannot be read is about a key: its id stands there, whole or with a few wrong characters. */
function mentionsKey(line: string, { id }: ApiKey): boolean {
  if (id.length <= 2 * maxDamaged) return line.includes(id);
  for (let at = 0; at + id.length <= line.length; at++) {
    let wrong = 0;
    for (let i = 0; i < id.length && wrong <= maxDamaged; i++) if (line[at + i] !== id[i]) wrong += 1;
    if (wrong <= maxDamaged) return true;
  }
  return false;
}

/**
 * Revokes the keys of lines that cannot be read. Such a line may have revoked its key: a key that is refused by mistake
 * is added again, and one that is accepted by mistake belongs to somebody who should not have it.
 */
export function refuseDamaged(keys: readonly ApiKey[], lines: readonly string[]): readonly ApiKey[] {
  if (lines.length === 0) return keys;
  return keys.map((key) =>
    key.revokedAt === undefined && lines.some((line) => mentionsKey(line, key))
      ? { ...key, revokedAt: key.createdAt }
      : key,
  );
}

/** The stored form of a secret. */
export function hashApiKey(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** The data of a new key. */
export interface NewKey {
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  readonly networks: readonly string[];
}

/** Makes a new key: the secret, which is shown once and not stored, and the line to store. */
export function makeApiKey(facts: NewKey, nowMs: number, random: Random): { secret: string; event: KeyEvent } {
  const secret = toHex(random.bytes(32));
  const createdAt = Math.floor(nowMs / 1000);
  return {
    secret,
    event: { kind: "added", id: toHex(random.bytes(5)), hash: hashApiKey(secret), ...facts, createdAt },
  };
}
