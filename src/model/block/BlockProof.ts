import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Codec, cell, maybe, ref, tagged, type ValueOf } from "../../cell/codec.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { ModelError } from "../errors.ts";
import { BlockIdExt } from "./BlockId.ts";
import { BlockSignatures } from "./BlockSignatures.ts";

// block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures) = BlockProof;
/** Proof that validators signed a block; `root` is a Merkle proof of the block. */
export const BlockProof = tagged("#c3", { proofFor: BlockIdExt, root: cell, signatures: maybe(ref(BlockSignatures)) });
export type BlockProof = ValueOf<typeof BlockProof>;

const maxChain = 8;

function checkLength(length: number): number {
  if (length < 1 || length > maxChain) throw new ModelError("model/value", `a chain of ${length} proofs`);
  return length;
}

// chain_empty$_ = ProofChain 0;
// chain_link$_ {n:#} root:^Cell prev:n?^(ProofChain n) = ProofChain (n + 1);
// len:(## 8) { len >= 1 } { len <= 8 } chain:(ProofChain len)
/** Merkle proofs of blocks, from the newest back. */
const ProofChain: Codec<readonly Cell[]> = {
  load: (slice) => {
    const roots: Cell[] = [];
    let at: Slice = slice;
    for (let left = checkLength(slice.loadUint(8)); left > 0; left--) {
      roots.push(at.loadRef());
      const next: Slice = left > 1 ? sliceOf(at.loadRef()) : at;
      if (at !== slice) at.end();
      at = next;
    }
    return roots;
  },
  store: (builder, roots) => {
    builder.storeUint(checkLength(roots.length), 8);
    let previous: Cell | undefined;
    for (const [i, root] of roots.toReversed().entries()) {
      const target = i === roots.length - 1 ? builder : beginCell();
      target.storeRef(root);
      if (previous !== undefined) target.storeRef(previous);
      if (target !== builder) previous = target.cell();
    }
  },
};

// top_block_descr#d5 proof_for:BlockIdExt signatures:(Maybe ^BlockSignatures)
//   len:(## 8) { len >= 1 } { len <= 8 } chain:(ProofChain len) = TopBlockDescr;
/** How a shard reports its newest block to the masterchain. */
export const TopBlockDescr = tagged("#d5", {
  proofFor: BlockIdExt,
  signatures: maybe(ref(BlockSignatures)),
  chain: ProofChain,
});
export type TopBlockDescr = ValueOf<typeof TopBlockDescr>;
