import { writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { loadCell } from "../../src/cell/codec.ts";
import { makeMerkleProof } from "../../src/cell/merkleProof.ts";
import { watchVisits } from "../../src/cell/visits.ts";
import type { BlockLink } from "../../src/lite/queries/blockProof.ts";
import { blockIdToTl } from "../../src/lite/queries/ids.ts";
import type { SignatureSet } from "../../src/lite/queries/signatures.ts";
import { Block } from "../../src/model/Block.ts";
import type { BlockIdExt } from "../../src/model/BlockId.ts";
import { findConfigParam } from "../../src/model/ConfigParams.ts";

/** A whole block, of which links are to be made. */
export interface LinkEnd {
  readonly id: BlockIdExt;
  readonly root: Cell;
}

/** The link a server would give from a key block to a block signed by the validators it names. */
export function makeForwardLink(from: LinkEnd, to: LinkEnd, signatures: SignatureSet): BlockLink {
  const { keyBlock } = loadCell(Block, to.root).info.load();
  return {
    kind: "forward",
    toKeyBlock: keyBlock,
    from: blockIdToTl(from.id),
    to: blockIdToTl(to.id),
    destProof: proofOf(to.root, (block) => void block.info.load()),
    configProof: proofOf(from.root, readValidators),
    signatures,
  };
}

function readValidators(block: Block): void {
  block.info.load();
  const config = block.extra.load().custom?.load().config;
  if (config === undefined) throw new Error("no key block");
  findConfigParam(config, 28);
  for (const id of [34, 35] as const) findConfigParam(config, id)?.list.entries();
}

function proofOf(root: Cell, read: (block: Block) => void): Uint8Array {
  const visits = watchVisits(root);
  read(loadCell(Block, visits.root));
  return writeBoc(makeMerkleProof(root, visits.opened));
}
