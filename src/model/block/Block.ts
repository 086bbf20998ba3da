import type { Cell } from "../../cell/Cell.ts";
import { cell, int32, maybe, tagged, type ValueOf } from "../../cell/codec.ts";
import { linked } from "../../cell/linked.ts";
import { type Hash, hash } from "../Hash.ts";
import { ShardAccountBlocks } from "./AccountBlock.ts";
import { BlockInfo } from "./BlockInfo.ts";
import { McBlockExtra } from "./McBlockExtra.ts";
import { InMsgDescr, OutMsgDescr } from "./messageDescriptors.ts";
import { ValueFlow } from "./ValueFlow.ts";

// block_extra in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks rand_seed:bits256
//   created_by:bits256 custom:(Maybe ^McBlockExtra) = BlockExtra;
export const BlockExtra = tagged("#4a33f6fd", {
  inMessages: linked(InMsgDescr),
  outMessages: linked(OutMsgDescr),
  accountBlocks: linked(ShardAccountBlocks),
  randSeed: hash,
  createdBy: hash,
  custom: maybe(linked(McBlockExtra)),
});
export type BlockExtra = ValueOf<typeof BlockExtra>;

// block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState)
//   extra:^BlockExtra = Block;
export const Block = tagged("#11ef55aa", {
  globalId: int32,
  info: linked(BlockInfo),
  valueFlow: linked(ValueFlow),
  stateUpdate: cell,
  extra: linked(BlockExtra),
});
export type Block = ValueOf<typeof Block>;

/** Visits every transaction cell of a block by account, then by logical time. */
export function forEachTransaction(block: Block, visit: (cell: Cell, account: Hash, lt: bigint) => void): void {
  const accountBlocks = block.extra.load().accountBlocks.load();
  accountBlocks.forEach((accountBlock, account) => {
    accountBlock.transactions.forEach((link, lt) => {
      visit(link.cell, account, lt);
    });
  });
}
