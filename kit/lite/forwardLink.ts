import { createHash } from "node:crypto";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { loadCell } from "../../src/cell/codec.ts";
import { watchVisits } from "../../src/cell/visits.ts";
import type { BlockLink } from "../../src/lite/queries/blockProof.ts";
import { blockIdToTl } from "../../src/lite/queries/ids.ts";
import type { CheckedSignatures } from "../../src/lite/queries/signatures.ts";
import { getBlockProof } from "../../src/lite/tl/liteQueries.ts";
import type { partialBlockProof } from "../../src/lite/tl/liteRecords.ts";
import { encode, type TlValue } from "../../src/lite/tl/types.ts";
import { Block } from "../../src/model/block/Block.ts";
import type { BlockIdExt } from "../../src/model/block/BlockId.ts";
import { type Config, findConfigParam } from "../../src/model/config/ConfigParams.ts";
import { hashFromBytes } from "../../src/model/Hash.ts";
import { makeMerkleProof } from "../cell/merkleProofs.ts";
import type { ProvableExchange } from "./provenAnswer.ts";

export type PartialBlockProof = TlValue<typeof partialBlockProof>;

/** A whole block at one end of a link. */
export interface LinkEnd {
  readonly id: BlockIdExt;
  readonly root: Cell;
}

export function readLinkEnd(bytes: Uint8Array): LinkEnd {
  const root = readRoot(bytes);
  const { shard, seqno } = loadCell(Block, root).info.load();
  const fileHash = hashFromBytes(createHash("sha256").update(bytes).digest());
  return { id: { ...shard, seqno, rootHash: root.hash(), fileHash }, root };
}

/** The configuration in a key block. */
export function configOf({ id, root }: LinkEnd): Config {
  const config = loadCell(Block, root).extra.load().custom?.load().config;
  if (config === undefined) throw new Error(`block ${id.seqno} is not a key block`);
  return config;
}

/** The answer of a server that has exactly these links, each from the end of the previous one. */
export function makeLinksProof(steps: readonly BlockLink[]): PartialBlockProof {
  const [first, last] = [steps.at(0), steps.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a proof without links");
  return { complete: true, from: first.from, to: last.to, steps };
}

/** The exchange in which a server returned this proof. */
export function proofExchange(note: string, proof: PartialBlockProof): ProvableExchange {
  const args = { mode: 1, knownBlock: proof.from, targetBlock: proof.to };
  const request = { wait: undefined, query: getBlockProof, args };
  return { name: "getBlockProof", note, request, answer: encode(getBlockProof.answer.boxed, proof) };
}

/** The link from a key block to a block signed by the validators of the key block. */
export function makeForwardLink(from: LinkEnd, to: LinkEnd, signatures: CheckedSignatures): BlockLink {
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
