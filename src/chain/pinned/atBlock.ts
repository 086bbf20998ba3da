import type { TrustedHead } from "../../lite/queries/TrustedChain.ts";
import { masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { lookUp } from "../blocks.ts";
import type { Chain } from "../Chain.ts";
import { ChainError } from "../errors.ts";

/** The chain at a masterchain block: accounts, configuration, libraries and previous blocks are those of this block. */
export async function chainAt(chain: Chain, seqno: number): Promise<Chain> {
  const head = await headAt(chain, seqno);
  if (seqno !== chain.head.block.seqno) chain.onBlock?.(head.block);
  return { ...chain, head };
}

async function headAt(chain: Chain, seqno: number): Promise<TrustedHead> {
  const newest = chain.head.block.seqno;
  if (seqno === newest) return chain.head;
  if (seqno < 1 || seqno > newest)
    throw new ChainError("chain/no-block", `masterchain block ${seqno} does not exist; the newest is ${newest}`);
  const { id, info } = await lookUp(chain, { workchain: masterchain, shard: wholeShard, by: "seqno", seqno });
  return { block: id, genUtime: info.genUtime };
}
