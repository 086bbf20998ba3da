import type { Cell } from "../../cell/Cell.ts";
import { Lru } from "../../lib/lru.ts";
import { type BlockIdExt, sameBlock } from "../../model/block/BlockId.ts";
import type { Hash } from "../../model/Hash.ts";
import { openHeader, type ProvenHeader } from "./proven.ts";
import { checkShardProof } from "./shards.ts";

/** A proof that stood, for good: what it proves does not change. */
interface Stood {
  readonly reference: BlockIdExt;
  readonly shardBlock: BlockIdExt;
  readonly bytes: Uint8Array;
}

/** What all proofs together may weigh: those of the few newest blocks. */
const maxBytes = 1 << 18;

/** How many headers are kept. */
const maxHeaders = 64;

/**
 * Shard proofs that were checked before. Every answer about an account brings the proof of its shard, which is the same, to the
 * last byte, for all accounts of the shard at one block; the very same bytes about the same two blocks need no second check.
 * The header of the shard's block comes with every answer, too; what it said once it says forever.
 */
export class KnownShardProofs {
  readonly #headers = new Lru<Hash, ProvenHeader>({ maxBytes: maxHeaders, sizeOf: () => 1 });
  readonly #stood = new Lru<Hash, Stood>({ maxBytes, sizeOf: ({ bytes }) => bytes.length + 500 });

  /** Checks a proof as `checkShardProof` does, and remembers one that stands. */
  check(reference: BlockIdExt, shardBlock: BlockIdExt, bytes: Uint8Array): void {
    const known = this.#stood.find(shardBlock.rootHash);
    if (
      known !== undefined &&
      sameBlock(known.shardBlock, shardBlock) &&
      sameBlock(known.reference, reference) &&
      Buffer.compare(known.bytes, bytes) === 0
    )
      return;
    checkShardProof(reference, shardBlock, bytes);
    // A copy: the bytes are a view of a whole answer.
    this.#stood.set(shardBlock.rootHash, { reference, shardBlock, bytes: Uint8Array.from(bytes) });
  }

  /** As `openHeader` does, from the proof that was given first. */
  openHeader(proof: Cell, id: BlockIdExt): ProvenHeader {
    const known = this.#headers.find(id.rootHash);
    if (known !== undefined && sameBlock(known.id, id)) return known;
    const opened = openHeader(proof, id);
    this.#headers.set(id.rootHash, opened);
    return opened;
  }

  clear(): void {
    this.#headers.clear();
    this.#stood.clear();
  }
}
