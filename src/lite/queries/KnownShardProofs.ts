import type { Cell } from "../../cell/Cell.ts";
import { weighCells } from "../../cell/weighCells.ts";
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

/** Memory for headers, unless the owner says otherwise: each keeps the answer alive that it came with. */
const usualHeaderBytes = 4 << 20;

interface KnownHeader {
  readonly opened: ProvenHeader;
  readonly proof: Cell;
}

/**
 * Shard proofs that were checked before. Every answer about an account contains the proof of its shard, which is
 * identical for all accounts of the shard at one block, so the same bytes about the same two blocks need no second
 * check. The header of the shard's block also comes with every answer and does not change.
 */
export class KnownShardProofs {
  readonly #headers: Lru<Hash, KnownHeader>;
  readonly #checked = new Lru<Hash, CheckedProof>({ maxBytes, sizeOf: ({ bytes }) => bytes.length + 500 });

  constructor(headerBytes = usualHeaderBytes) {
    this.#headers = new Lru({ maxBytes: headerBytes, sizeOf: ({ proof }) => weighCells(proof) });
  }

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
    if (known !== undefined && sameBlock(known.opened.id, id)) return known.opened;
    const opened = openHeader(proof, id);
    this.#headers.set(id.rootHash, { opened, proof });
    return opened;
  }

  clear(): void {
    this.#headers.clear();
    this.#checked.clear();
  }
}
