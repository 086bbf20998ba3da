import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readRoot } from "../../cell/boc.ts";
import { parseJson } from "../../lib/json.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { Hash } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import { Ledger, type ZeroState } from "./Ledger.ts";

/** The progress of an import, for display. */
export type ImportProgress = (done: number, total: number) => void;

interface RecordedBlock {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
  readonly mc_seqno?: number;
}

interface RecordIndex {
  readonly format: string;
  readonly zerostates: readonly (RecordedBlock & { readonly file: string })[];
  readonly containers: Readonly<Record<string, { readonly file: string; readonly sha256_uncompressed: string }>>;
  readonly blocks: readonly (RecordedBlock & {
    readonly container: string;
    readonly offset: number;
    readonly size: number;
  })[];
}

const format = "ton-chain-record/1";

/** Loads a recorded chain, every block checked by its hashes and every state rebuilt from the zero states. */
export function importChain(folder: string, onProgress?: ImportProgress): Ledger {
  const index = readIndex(folder);
  const containers = new Map<string, Buffer>();
  for (const [name, { file, sha256_uncompressed: expected }] of Object.entries(index.containers)) {
    const bytes = gunzipSync(readFileSync(join(folder, file)));
    if (createHash("sha256").update(bytes).digest("hex") !== expected)
      throw new LocalnetError("localnet/import", `${file} does not match the index of the recording`);
    containers.set(name, bytes);
  }
  const ledger = new Ledger(index.zerostates.map((zero) => readZeroState(folder, zero)));
  // Shard blocks come before the masterchain block that commits them.
  const order = index.blocks.toSorted(
    (a, b) => (a.mc_seqno ?? 0) - (b.mc_seqno ?? 0) || b.workchain - a.workchain || a.seqno - b.seqno,
  );
  order.forEach((recorded, i) => {
    const bytes = containers.get(recorded.container)?.subarray(recorded.offset, recorded.offset + recorded.size);
    if (bytes === undefined) throw new LocalnetError("localnet/import", `no container ${recorded.container}`);
    const { id } = ledger.add(bytes);
    if (id.rootHash !== recorded.root_hash || id.fileHash !== recorded.file_hash)
      throw new LocalnetError("localnet/import", `block ${recorded.workchain}:${recorded.seqno} has other hashes`);
    onProgress?.(i + 1, order.length);
  });
  return ledger;
}

function readIndex(folder: string): RecordIndex {
  const path = join(folder, "index.json");
  const parsed = parseJson(readFileSync(path, "utf8"), { maxLength: 1 << 28 });
  const isIndex = typeof parsed === "object" && parsed !== null && "format" in parsed && parsed.format === format;
  if (!isIndex) throw new LocalnetError("localnet/import", `${path} is not a recording of format ${format}`);
  // Written by our own recorder; every block in it is checked by its hashes when it is added.
  return parsed as unknown as RecordIndex;
}

function readZeroState(folder: string, recorded: RecordedBlock & { readonly file: string }): ZeroState {
  const bytes = readFileSync(join(folder, recorded.file));
  const root = readRoot(bytes);
  const id: BlockIdExt = {
    workchain: recorded.workchain,
    shard: BigInt.asUintN(64, BigInt(recorded.shard)),
    seqno: 0,
    rootHash: recorded.root_hash as Hash,
    fileHash: recorded.file_hash as Hash,
  };
  if (root.hash() !== id.rootHash || createHash("sha256").update(bytes).digest("hex") !== id.fileHash) {
    throw new LocalnetError(
      "localnet/import",
      `${recorded.file} does not match the zero state in the index of the recording`,
    );
  }
  return { id, bytes, root };
}
