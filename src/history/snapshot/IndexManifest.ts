import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "typebox";
import { isCoded } from "../../lib/errors.ts";
import { formatJson, parseJson } from "../../lib/json.ts";
import { type Args, type ArgValues, decodeArgs, makeArg, optional } from "../../lib/kit/arg.ts";
import { intArg, listArg, oneOfArg } from "../../lib/kit/basicArgs.ts";
import { parseHash } from "../../model/Hash.ts";
import { HistoryError } from "../errors.ts";
import { formatScope } from "../scope/Scope.ts";
import { readStored } from "../scope/storedScope.ts";
import { allTables } from "../store/migrate/allTables.ts";
import { listMigrations } from "../store/migrate/migrate.ts";
import type { Table } from "../store/schema/Table.ts";

/**
 * The tables of an export by name: everything that follows from the chain. Documents about tokens, messages between
 * processes and facts about this database stay where they are.
 */
export const exportedTables: ReadonlyMap<string, Table> = new Map(
  allTables.filter(({ source }) => source.kind !== "service").map((table) => [table.name, table]),
);

const format = "tongate-index/1";
const fileName = "manifest.json";

const hash = makeArg({
  schema: Type.String(),
  allowed: "a hash of 64 hex digits",
  read: (value) => (typeof value === "string" ? parseHash(value) : undefined),
});
const count = intArg({ min: 0, max: Number.MAX_SAFE_INTEGER });
const seqno = intArg({ min: 0, max: 0x7fff_ffff });

/** A masterchain block that the rows follow from. */
const block = { seqno, rootHash: hash, fileHash: hash };
/** A segment with its first block that is kept and its last one. */
const segment = { firstSeqno: seqno, nextSeqno: seqno, firstBlock: nested(block), lastBlock: nested(block) };
const file = {
  table: oneOfArg([...exportedTables.keys()]),
  /** The number of the partition; absent for a table without partitions. */
  partition: optional(intArg({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  /** Large tables are split into files. */
  part: count,
  rows: count,
  /** Characters before compression. */
  textLength: count,
  sha256: hash,
};
const scopeText = makeArg<string>({
  schema: Type.String(),
  allowed: "a scope as one text",
  read: (value) => (typeof value === "string" ? formatScope(readStored(value)) : undefined),
});
const ranges = listArg(nested({ firstSeqno: seqno, nextSeqno: seqno }), { maxItems: 100_000 });
const content = {
  format: oneOfArg([format]),
  /** The root hash of the network's zero state. */
  network: hash,
  /** The layout of the tables; see `tableLayout`. */
  layout: hash,
  madeAt: count,
  /** The first masterchain block that is kept, where older history was removed. */
  historyBegins: optional(seqno),
  /** Ranges that an older version indexed without these parts; absent when there are none. */
  withoutValidators: optional(ranges),
  withoutPools: optional(ranges),
  /** What the index covers, in the form of a scope file; absent for the whole chain. */
  scope: optional(scopeText),
  segments: listArg(nested(segment), { maxItems: 100_000 }),
  files: listArg(nested(file), { maxItems: 1_000_000 }),
};

/** What an exported index consists of. */
export type IndexManifest = ArgValues<typeof content>;
export type SnapshotFile = ArgValues<typeof file>;
export type SnapshotBlock = ArgValues<typeof block>;

function nested<A extends Args>(args: A) {
  return makeArg<ArgValues<A>>({
    schema: Type.Object({}),
    allowed: "an object",
    read: (value) => (typeof value === "object" ? decodeArgs(args, Object(value)) : undefined),
  });
}

/** The name of a file, made from checked values: a manifest cannot name a path. */
export function nameOf({ table, partition, part }: Pick<SnapshotFile, "table" | "partition" | "part">): string {
  return `${partition === undefined ? table : `${table}_p${partition}`}.${part}.gz`;
}

/** Identifies the layout of the tables: an index is imported only by a program with the same one. */
export function tableLayout(): string {
  const hash = createHash("sha256");
  for (const { number, sql } of listMigrations()) hash.update(`${number}\n${sql}\n`);
  return hash.digest("hex");
}

/** Identifies an export. */
export function hashManifest(manifest: IndexManifest): string {
  return createHash("sha256").update(formatJson(manifest)).digest("hex");
}

/** Writes the manifest, last of all files: a folder without it is no export. */
export async function writeManifest(folder: string, manifest: IndexManifest): Promise<void> {
  const path = join(folder, fileName);
  await writeFile(`${path}.new`, `${formatJson(manifest)}\n`);
  await rename(`${path}.new`, path);
}

/** Reads the manifest of a folder. */
export async function readManifest(folder: string): Promise<IndexManifest> {
  const path = join(folder, fileName);
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new HistoryError("history/snapshot", `${path} cannot be read: the folder has no complete export`, {
      cause,
    });
  });
  try {
    return decodeArgs(content, Object(parseJson(text, { maxLength: 2 ** 29 })));
  } catch (cause) {
    if (!isCoded(cause)) throw cause;
    throw new HistoryError("history/snapshot", `${path} is not the manifest of an index: ${cause.message}`, { cause });
  }
}
