import { bool, cell, int32, maybe, tagged, uint32, uint64, type ValueOf } from "../../cell/codec.ts";
import { hash } from "../Hash.ts";
import { ShardIdent } from "./BlockId.ts";

/*
 * Blocks and states as proofs open them, in the schemes of `Block`, `BlockExtra` and `ShardStateUnsplit`: their parts
 * are cells, so that whoever reads one part does not load the codecs of all others.
 */

export const BlockOutline = tagged("#11ef55aa", {
  globalId: int32,
  info: cell,
  valueFlow: cell,
  stateUpdate: cell,
  extra: cell,
});
export type BlockOutline = ValueOf<typeof BlockOutline>;

export const BlockExtraOutline = tagged("#4a33f6fd", {
  inMessages: cell,
  outMessages: cell,
  accountBlocks: cell,
  randSeed: hash,
  createdBy: hash,
  custom: maybe(cell),
});

/** The fields of a state that are not in cells of their own. */
export const stateHead = {
  globalId: int32,
  shard: ShardIdent,
  seqno: uint32,
  vertSeqno: uint32,
  genUtime: uint32,
  genLt: uint64,
  minRefMcSeqno: uint32,
};

export const StateOutline = tagged("#9023afe2", {
  ...stateHead,
  outMsgQueueInfo: cell,
  beforeSplit: bool,
  accounts: cell,
  totals: cell,
  custom: maybe(cell),
});
export type StateOutline = ValueOf<typeof StateOutline>;
