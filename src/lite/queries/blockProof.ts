import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { openMerkleProof } from "../../cell/merkle/merkleProof.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { type BlockIdExt, formatBlockId, masterBlockId, masterchain, sameBlock } from "../../model/block/BlockId.ts";
import type { HeaderFields } from "../../model/block/BlockInfo.ts";
import { OldMcBlocksInfo } from "../../model/block/McStateExtra.ts";
import { BlockExtraOutline, StateOutline } from "../../model/block/outlines.ts";
import { ShardFees, ShardHashes } from "../../model/block/ShardHashes.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import { loadConfig } from "../../model/config/readConfig.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getBlockProof } from "../tl/liteQueries.ts";
import type { blockLink, partialBlockProof } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { configOfStateExtra } from "./config.ts";
import { blockIdFromTl, blockIdToTl } from "./ids.ts";
import { openBlock, openState, proofError, proofRoot, proven } from "./proven.ts";
import { checkSignatures, type SignedBy } from "./signatures.ts";
import { ValidatorGroups } from "./validators.ts";

export type BlockLink = TlValue<typeof blockLink>;

/** A masterchain block that a chain of proofs reaches from a known one. */
export interface ProvenHead {
  readonly block: BlockIdExt;
  /** Absent when there was nothing to prove. */
  readonly header: HeaderFields | undefined;
  /** The newest key block on the way, useful as the next start. */
  readonly keyBlock: BlockIdExt | undefined;
  readonly complete: boolean;
  /** Who signed the block; absent for one that follows from a newer block. */
  readonly signedBy?: SignedBy | undefined;
}

/**
 * Follows a chain of links; each must begin where the previous one ended, and the last one must reach the target, if
 * any.
 */
export function checkBlockProof(
  known: BlockIdExt,
  target: BlockIdExt | undefined,
  answer: TlValue<typeof partialBlockProof>,
  groups = new ValidatorGroups(),
): ProvenHead {
  return proven("block proof", () => {
    if (!sameBlock(blockIdFromTl(answer.from), known))
      throw proofError(`a proof that does not begin at ${formatBlockId(known)}`);
    let at = known;
    let header: HeaderFields | undefined;
    let keyBlock: BlockIdExt | undefined;
    let signedBy: SignedBy | undefined;
    for (const link of answer.steps) {
      const step = checkLink(at, link, groups);
      at = step.block;
      header = step.header;
      signedBy = step.signedBy;
      if (step.isKey && (keyBlock === undefined || keyBlock.seqno < at.seqno)) keyBlock = at;
    }
    if (!sameBlock(blockIdFromTl(answer.to), at)) throw proofError("a proof that does not end at the block it names");
    if (answer.complete && target !== undefined && !sameBlock(at, target))
      throw proofError(`a complete proof that does not reach ${formatBlockId(target)}`);
    return { block: at, header, keyBlock, complete: answer.complete, signedBy };
  });
}

/**
 * Follows a chain of links to a block that is trusted already: only where they lead, not who signed them. Checking all
 * signatures since an old block takes seconds.
 */
export function followBlockProof(
  known: BlockIdExt,
  target: BlockIdExt,
  answer: TlValue<typeof partialBlockProof>,
): ProvenHead {
  return proven("block proof", () => {
    if (!sameBlock(blockIdFromTl(answer.from), known))
      throw proofError(`a proof that does not begin at ${formatBlockId(known)}`);
    const to = blockIdFromTl(answer.to);
    if (answer.complete && !sameBlock(to, target))
      throw proofError(`a complete proof that does not reach ${formatBlockId(target)}`);
    const last = answer.steps.at(-1);
    const header = last === undefined || to.seqno === 0 ? undefined : openBlock(proofRoot(last.destProof), to).header;
    return { block: to, header, keyBlock: undefined, complete: answer.complete };
  });
}

interface Step {
  readonly block: BlockIdExt;
  readonly header: HeaderFields | undefined;
  readonly isKey: boolean;
  readonly signedBy?: SignedBy;
}

function checkLink(at: BlockIdExt, link: BlockLink, groups: ValidatorGroups): Step {
  const from = blockIdFromTl(link.from);
  const to = blockIdFromTl(link.to);
  if (!sameBlock(from, at))
    throw proofError(`a link from ${formatBlockId(from)} where the chain is at ${formatBlockId(at)}`);
  if (to.workchain !== masterchain) throw proofError("a link that leaves the masterchain");
  return link.kind === "back" ? checkBack(from, to, link) : checkForward(from, to, link, groups);
}

/** An older block is in the list of old blocks of a newer one's state. */
function checkBack(from: BlockIdExt, to: BlockIdExt, link: Extract<BlockLink, { kind: "back" }>): Step {
  if (to.seqno >= from.seqno) throw proofError("a backward link that leads forward");
  const state = openState(proofRoot(link.stateProof), openBlock(proofRoot(link.proof), from));
  checkOldBlock(state, to, link.toKeyBlock);
  if (to.seqno === 0) return { block: to, header: undefined, isKey: link.toKeyBlock };
  const { header } = openBlock(proofRoot(link.destProof), to);
  if (header.keyBlock !== link.toKeyBlock) throw proofError("a block with a wrong key block flag");
  return { block: to, header, isKey: header.keyBlock };
}

/** Refuses a masterchain block that is not among the old blocks of a state. */
export function checkOldBlock(state: StateOutline, block: BlockIdExt, isKey?: boolean): void {
  if (state.custom === undefined) throw proofError("a masterchain state without McStateExtra");
  const extra = sliceOf(state.custom);
  // shard_hashes, then config: one reference each; the list of old blocks is in the next one.
  if (extra.loadUint(16) !== 0xcc26) throw proofError("a masterchain state with an unknown McStateExtra");
  extra.loadMaybeRef();
  extra.skip(256).skipRefs(1);
  const history = sliceOf(extra.loadRef());
  history.skip(16 + 65);
  const entry = OldMcBlocksInfo.load(history).find(block.seqno);
  if (entry === undefined || !sameBlock(masterBlockId(entry.block), block))
    throw proofError(`${formatBlockId(block)} is not among the old blocks`);
  if (isKey !== undefined && entry.key !== isKey) throw proofError("an old block with a wrong key block flag");
}

/** A newer block is signed by the validators that a key block (or the zero state) names. */
function checkForward(
  from: BlockIdExt,
  to: BlockIdExt,
  link: Extract<BlockLink, { kind: "forward" }>,
  groups: ValidatorGroups,
): Step {
  if (to.seqno <= from.seqno) throw proofError("a forward link that leads back");
  const { header } = openBlock(proofRoot(link.destProof), to);
  if (header.keyBlock !== link.toKeyBlock) throw proofError("a block with a wrong key block flag");
  if (header.prevKeyBlockSeqno !== from.seqno) {
    throw proofError(
      `a forward link from ${from.seqno} to a block whose last key block is ${header.prevKeyBlockSeqno}`,
    );
  }
  const { signatures } = link;
  const seqno = signatures.kind === "ordinary" ? signatures.catchainSeqno : signatures.ccSeqno;
  if (seqno >>> 0 !== header.genCatchainSeqno) throw proofError("signatures of another session");
  const group = groups.get(from, header.genCatchainSeqno, () => configFrom(from, link.configProof));
  if (group.hashShort !== header.genValidatorListHashShort) throw proofError("a block of another validator group");
  const signedBy = checkSignatures(to, signatures, group);
  return { block: to, header, isKey: header.keyBlock, signedBy };
}

function configFrom(from: BlockIdExt, proof: Uint8Array): Config {
  const root = proofRoot(proof);
  if (from.seqno === 0) {
    const state = loadCell(StateOutline, openMerkleProof(root, from.rootHash));
    if (state.custom === undefined) throw proofError("a zero state without configuration");
    return configOfStateExtra(state.custom);
  }
  const { block, header } = openBlock(root, from);
  if (!header.keyBlock) throw proofError("a forward link from a block that is not a key block");
  const { custom } = loadCell(BlockExtraOutline, block.extra);
  if (custom === undefined) throw proofError("a key block without McBlockExtra");
  return keyBlockConfig(custom);
}

/** The configuration in a key block, read without the parts that a proof leaves out; `McBlockExtra` would need them. */
function keyBlockConfig(cell: Cell): Config {
  const slice = sliceOf(cell);
  if (slice.loadUint(16) !== 0xcca5 || !slice.loadBit()) throw proofError("a key block without configuration");
  ShardHashes.load(slice);
  ShardFees.load(slice);
  slice.skipRefs(1);
  return loadConfig(slice);
}

/** A proof from a known masterchain block to another; servers may stop half-way, then `complete` is false. */
export async function fetchBlockProof(
  server: LiteServer,
  known: BlockIdExt,
  target: BlockIdExt | undefined,
  options: TypedAskOptions,
  checkProof: typeof checkBlockProof = checkBlockProof,
): Promise<ProvenHead> {
  const base = { mode: 0, knownBlock: blockIdToTl(known) };
  const args = target === undefined ? base : { ...base, mode: 1, targetBlock: blockIdToTl(target) };
  return askProven(server, getBlockProof, args, (answer) => checkProof(known, target, answer), options);
}
