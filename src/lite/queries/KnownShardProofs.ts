import type { Cell } from "../../cell/Cell.ts";
import { Lru } from "../../lib/lru.ts";
import { type BlockIdExt, sameBlock } from "../../model/block/BlockId.ts";
import type { Hash } from "../../model/Hash.ts";
import { openHeader, type ProvenHeader } from "./proven.ts";
import { checkShardProof } from "./shards.ts";

/** A checked proof, which is immutable. */
interface CheckedProof {
  readonly reference: BlockIdExt;
  readonly shardBlock: BlockIdExt;
  readonly bytes: Uint8Array;
}

/** The largest total size of all proofs: enough for the few newest blocks. */
const maxBytes = 1 << 18;

/** The number of headers that are kept. */
const maxHeaders = 64;

/**
 * Shard proofs that were checked before. Every answer about an account contains the proof of its shard, which is
 * identical for all accounts of the shard at one block, so the same bytes about the same two blocks need no second
 * check. The header of the shard's block also comes with every answer and does not change.
 */
export class KnownShardProofs {
  readonly #headers = new Lru<Hash, ProvenHeader>({ maxBytes: maxHeaders, sizeOf: () => 1 });
  readonly #checked = new Lru<Hash, CheckedProof>({ maxBytes, sizeOf: ({ bytes }) => bytes.length + 500 });

  /** Checks a proof as `checkShardProof` does, and remembers a valid one. */
  check(reference: BlockIdExt, shardBlock: BlockIdExt, bytes: Uint8Array): void {
    const known = this.#checked.find(shardBlock.rootHash);
    if (
      known !== undefined &&
      sameBlock(known.shardBlock, shardBlock) &&
      sameBlock(known.reference, reference) &&
      Buffer.compare(known.bytes, bytes) === 0
    )
      return;
    checkShardProof(reference, shardBlock, bytes);
    // A copy: the bytes are a view of a whole answer.
    this.#checked.set(shardBlock.rootHash, { reference, shardBlock, bytes: Uint8Array.from(bytes) });
  }

  /** Like `openHeader`, from the first proof. */
  openHeader(proof: Cell, id: BlockIdExt): ProvenHeader {
    const known = this.#headers.find(id.rootHash);
    if (known !== undefined && sameBlock(known.id, id)) return known;
    const opened = openHeader(proof, id);
    this.#headers.set(id.rootHash, opened);
    return opened;
  }

  clear(): void {
    this.#headers.clear();
    this.#checked.clear();
  }
}
