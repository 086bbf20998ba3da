import type { WholeBlock } from "../../lite/queries/blocks.ts";
import { type BlockIdExt, shardsIntersect } from "../../model/block/BlockId.ts";
import { prevBlockIds } from "../../model/block/BlockInfo.ts";
import type { Hash } from "../../model/Hash.ts";

/** A signed shard block that no masterchain block commits yet. */
export interface ConfirmedBlock {
  readonly block: WholeBlock;
  /** When it was found, in monotonic time. */
  readonly foundAtMs: number;
}

/** How many committed blocks are remembered; a confirmed one follows one of them. */
const maxCommitted = 4_096;

/** The bytes of all confirmed blocks: those of several shards for some seconds, not what a server may invent. */
export const maxConfirmedBytes = 64 << 20;

/** Signed shard blocks above those that the masterchain commits, as the index has it. */
export class ConfirmedChain {
  readonly #maxBytes: number;
  readonly #committed = new Map<Hash, BlockIdExt>();
  /** In the order of arrival: each after its predecessors. */
  readonly #blocks = new Map<Hash, ConfirmedBlock>();

  constructor(maxBytes = maxConfirmedBytes) {
    this.#maxBytes = maxBytes;
  }

  /** A zero state is before every block. */
  isKnown({ seqno, rootHash }: BlockIdExt): boolean {
    return seqno === 0 || this.#committed.has(rootHash) || this.#blocks.has(rootHash);
  }

  /** Whether it is confirmed and not committed. */
  has(rootHash: Hash): boolean {
    return this.#blocks.has(rootHash);
  }

  list(): readonly ConfirmedBlock[] {
    return [...this.#blocks.values()];
  }

  /** Adds blocks, each after its predecessors; returns those that follow known ones and are not replaced already. */
  add(blocks: readonly WholeBlock[], foundAtMs: number): readonly WholeBlock[] {
    return blocks.filter((block) => {
      const { id, info } = block;
      if (this.#bytes + block.bytes.length > this.#maxBytes) return false;
      const isNew = !this.isKnown(id) && !this.#isPassed(id) && prevBlockIds(info).every((prev) => this.isKnown(prev));
      if (isNew) this.#blocks.set(id.rootHash, { block, foundAtMs });
      return isNew;
    });
  }

  /** Takes the shard blocks that masterchain blocks have committed; returns blocks that others replaced. */
  commit(ids: readonly BlockIdExt[]): readonly ConfirmedBlock[] {
    for (const id of ids) {
      this.#committed.set(id.rootHash, id);
      this.#blocks.delete(id.rootHash);
    }
    for (const oldest of this.#committed.keys()) {
      if (this.#committed.size <= maxCommitted) break;
      this.#committed.delete(oldest);
    }
    return this.#drop(({ block: { id } }) => isReplaced(id, ids));
  }

  /** Drops blocks that were found before this time and are still not committed. */
  expire(beforeMs: number): readonly ConfirmedBlock[] {
    return this.#drop(({ foundAtMs }) => foundAtMs < beforeMs);
  }

  /** Drops blocks with all that follow them. */
  #drop(isOver: (block: ConfirmedBlock) => boolean): readonly ConfirmedBlock[] {
    const dropped: ConfirmedBlock[] = [];
    for (const each of this.#blocks.values()) {
      const { id, info } = each.block;
      if (!isOver(each) && prevBlockIds(info).every((prev) => this.isKnown(prev))) continue;
      this.#blocks.delete(id.rootHash);
      dropped.push(each);
    }
    return dropped;
  }

  get #bytes(): number {
    return this.list().reduce((sum, { block }) => sum + block.bytes.length, 0);
  }

  #isPassed(id: BlockIdExt): boolean {
    return isReplaced(id, [...this.#committed.values()]);
  }
}

/** Whether the masterchain has gone on in this place without the block. */
function isReplaced(id: BlockIdExt, committed: readonly BlockIdExt[]): boolean {
  return committed.some(
    (other) => other.workchain === id.workchain && other.seqno >= id.seqno && shardsIntersect(other.shard, id.shard),
  );
}
