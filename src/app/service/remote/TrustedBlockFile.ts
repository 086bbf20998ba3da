import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeWhole } from "../../../lib/files/writeWhole.ts";
import { formatJson, parseJson } from "../../../lib/json.ts";
import { decodeArgs, makeArg } from "../../../lib/kit/arg.ts";
import { intArg } from "../../../lib/kit/basicArgs.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../../model/block/BlockId.ts";
import { findHash } from "../../../model/Hash.ts";

/** The content of the file. */
export type TrustedBlockRead =
  | { readonly kind: "none" }
  | { readonly kind: "kept"; readonly block: BlockIdExt }
  | { readonly kind: "broken"; readonly reason: string };

const hash = makeArg({
  schema: { type: "string" },
  allowed: "a hash in hex",
  read: (value) => (typeof value === "string" ? findHash(value) : undefined),
});
const content = { network: hash, seqno: intArg({ min: 1, max: 0xffff_ffff }), rootHash: hash, fileHash: hash };

/** Stores the newest proved key block of a network, so that the next start need not prove it again. */
export class TrustedBlockFile {
  readonly path: string;
  readonly #zeroState: BlockIdExt;

  /** Networks are distinguished by their zero states, not by their names. */
  constructor(data: string, zeroState: BlockIdExt) {
    this.path = join(data, "trusted", `${zeroState.rootHash.slice(0, 16)}.json`);
    this.#zeroState = zeroState;
  }

  /** The stored block; an unreadable file is reported, and the init block is used. */
  read(): TrustedBlockRead {
    try {
      if (!existsSync(this.path)) return { kind: "none" };
      const given: Readonly<Record<string, unknown>> = Object(parseJson(readFileSync(this.path, "utf8")));
      const { network, seqno, rootHash, fileHash } = decodeArgs(content, given);
      if (network !== this.#zeroState.rootHash) return { kind: "broken", reason: "it belongs to another network" };
      return { kind: "kept", block: { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash } };
    } catch (error) {
      return { kind: "broken", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Replaces the stored block atomically. */
  write({ seqno, rootHash, fileHash }: BlockIdExt): void {
    const text = formatJson({ network: this.#zeroState.rootHash, seqno, rootHash, fileHash });
    mkdirSync(dirname(this.path), { recursive: true });
    writeWhole(this.path, new TextEncoder().encode(`${text}\n`));
  }
}

/** The trusted start block, and its origin. */
export interface TrustStart {
  readonly block: BlockIdExt;
  readonly isKept: boolean;
  /** The problem of the file, if any. */
  readonly problem: string | undefined;
}

/** The stored block, unless the configured one is newer or the file cannot be used. */
export function chooseStart(file: TrustedBlockFile, initBlock: BlockIdExt): TrustStart {
  const found = file.read();
  const isKept = found.kind === "kept" && found.block.seqno > initBlock.seqno;
  const problem = found.kind === "broken" ? found.reason : undefined;
  return { block: isKept ? found.block : initBlock, isKept, problem };
}
