import { CellKind } from "../../cell/base/CellKind.ts";
import { readBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Hash } from "../../cell/Hash.ts";
import { openMerkleProof } from "../../cell/merkle/merkleProof.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { CodedError, isCoded } from "../../lib/errors.ts";
import { type BlockIdExt, formatBlockId, sameBlock } from "../../model/block/BlockId.ts";
import { type HeaderFields, loadHeaderFields } from "../../model/block/BlockInfo.ts";
import { BlockOutline, StateOutline } from "../../model/block/outlines.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import { LiteError, type ProofFault } from "../errors.ts";
import { blockIdFromTl, type TlBlockId } from "./ids.ts";

/** A proof error: the answer does not follow from its proof. */
export function proofError(text: string, reason?: ProofFault): LiteError {
  return new LiteError("lite/proof", text, reason === undefined ? {} : { data: { reason } });
}

/** Runs a check; any coded error inside means that the answer proves nothing. The error says of what. */
export function proven<T>(what: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (isCoded(error, "lite/proof") && error.data.what === undefined)
      throw new LiteError("lite/proof", error.message, { data: { ...error.data, what }, cause: error });
    if (error instanceof LiteError || !(error instanceof CodedError)) throw error;
    throw new LiteError("lite/proof", `${what}: ${error.message}`, { data: { what }, cause: error });
  }
}

/** The root of a bag with a single proof. */
export function proofRoot(bytes: Uint8Array): Cell {
  const [root] = proofRoots(bytes, 1);
  if (root === undefined) throw proofError("a bag without a proof");
  return root;
}

/** The two roots of a bag: the proof of a block and that of its state. */
export function proofPair(bytes: Uint8Array): readonly [block: Cell, state: Cell] {
  const [block, state] = proofRoots(bytes, 2);
  if (block === undefined || state === undefined) throw proofError("a bag without two proofs");
  return [block, state];
}

function proofRoots(bytes: Uint8Array, count: number): readonly Cell[] {
  const roots = readBoc(bytes);
  if (roots.length !== count) throw proofError(`a bag of ${roots.length} proofs instead of ${count}`);
  // A branch pruned for a higher level is invalid here: these proofs are not nested.
  if (roots.some((root) => root.levelMask !== 0)) throw proofError("a proof that is valid only inside another one");
  return roots;
}

/** A block as far as a proof shows it, with its header checked against its id. */
export interface ProvenBlock {
  readonly id: BlockIdExt;
  readonly block: BlockOutline;
  readonly header: HeaderFields;
}

/** Opens a proof about a block with a trusted id, for the parts besides the header. */
export function openBlockBody(proof: Cell, id: BlockIdExt): BlockOutline {
  return loadCell(BlockOutline, openMerkleProof(proof, id.rootHash));
}

/**
 * Opens a proof about a block with a trusted id, with its header. The links of the header stay closed: many proofs
 * leave them out. A caller that needs them loads `block.info`.
 */
export function openBlock(proof: Cell, id: BlockIdExt): ProvenBlock {
  const block = openBlockBody(proof, id);
  const header = loadHeaderFields(block.info);
  checkHeader(header, id);
  return { id, block, header };
}

export function checkHeader(header: HeaderFields, id: BlockIdExt): void {
  const { workchain, shard } = header.shard;
  if (workchain !== id.workchain || shard !== id.shard || header.seqno !== id.seqno) {
    throw proofError(
      `the header is that of ${formatBlockId({ workchain, shard, seqno: header.seqno })}, not ${formatBlockId(id)}`,
    );
  }
}

/** The hash of the state after a block, from its state update. */
export function stateHashAfter(block: BlockOutline): Hash {
  const update = block.stateUpdate;
  if (update.kind !== CellKind.merkleUpdate) throw proofError("the proof leaves the state update out");
  return hashFromBytes(update.bytes.subarray(update.dataAt + 33, update.dataAt + 65));
}

/** What a block's proof must show for a proof about its state. */
export interface ProvenHeader {
  readonly id: BlockIdExt;
  readonly header: HeaderFields;
  /** Of the state after the block. */
  readonly stateHash: Hash;
}

/** Opens a proof about a block with a trusted id, for its header and the hash of its state. */
export function openHeader(proof: Cell, id: BlockIdExt): ProvenHeader {
  const { block, header } = openBlock(proof, id);
  return { id, header, stateHash: stateHashAfter(block) };
}

/** Opens the proof of a state against its block. */
export function openState(proof: Cell, block: ProvenBlock): StateOutline {
  return openStateOf(proof, stateHashAfter(block.block), block.id);
}

export function openStateOf(proof: Cell, stateHash: Hash, id: BlockIdExt): StateOutline {
  const slice = sliceOf(openMerkleProof(proof, stateHash));
  const state = StateOutline.load(slice);
  slice.end();
  if (state.shard.workchain !== id.workchain || state.shard.shard !== id.shard || state.seqno !== id.seqno)
    throw proofError(`the state is that of another block than ${formatBlockId(id)}`);
  return state;
}

/** Refuses an answer about another block than the requested one. */
export function expectBlock(answered: TlBlockId, blockIdExt: BlockIdExt): void {
  if (!sameBlock(blockIdFromTl(answered), blockIdExt))
    throw proofError(`an answer about a block other than ${formatBlockId(blockIdExt)}`, "block");
}
