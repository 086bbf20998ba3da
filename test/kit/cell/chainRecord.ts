import { createHash } from "node:crypto";
import { join } from "node:path";
import { listFiles, readBytes, readJson } from "../../../kit/suite/corpus.ts";

/** A block of a recorded chain, described in `realnet/README.md` of the corpus. */
export interface RecordedBlock {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
  readonly prev: readonly (readonly [shard: string, seqno: number])[];
  readonly after_split?: boolean;
  readonly after_merge?: boolean;
  readonly container: string;
  readonly offset: number;
  readonly size: number;
}

export interface RecordedState {
  readonly workchain: number;
  readonly shard: string;
  readonly root_hash: string;
  readonly file_hash: string;
  readonly file: string;
}

interface Index {
  readonly zerostates: readonly RecordedState[];
  readonly containers: Readonly<Record<string, { readonly file: string; readonly sha256_uncompressed: string }>>;
  readonly blocks: readonly RecordedBlock[];
}

/** A recorded chain: its blocks and its initial states, as bytes. */
export interface ChainRecord {
  readonly name: string;
  readonly blocks: readonly RecordedBlock[];
  readonly zerostates: readonly RecordedState[];
  blockBytes(block: RecordedBlock): Uint8Array;
  stateBytes(state: RecordedState): Uint8Array;
}

/** Folders of the corpus with a recorded chain. */
export function listChainRecords(folder: string): string[] {
  return listFiles(folder, ".", "index.json").map((path) => join(path, ".."));
}

export function readChainRecord(folder: string, name: string): ChainRecord {
  const { zerostates, containers, blocks } = readJson(folder, join(name, "index.json")) as Index;
  const streams = new Map<string, Uint8Array>();
  for (const [container, { file, sha256_uncompressed: expected }] of Object.entries(containers)) {
    const bytes = readBytes(folder, join(name, file));
    if (sha256(bytes) !== expected) throw new Error(`${name}/${file} does not have the hash in its index`);
    streams.set(container, bytes);
  }
  return {
    name,
    blocks,
    zerostates,
    blockBytes: ({ container, offset, size }) =>
      (streams.get(container) ?? new Uint8Array()).subarray(offset, offset + size),
    stateBytes: ({ file }) => readBytes(folder, join(name, file)),
  };
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
