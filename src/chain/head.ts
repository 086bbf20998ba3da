import { blockIdToTl } from "../lite/queries/ids.ts";
import { lookUpProven } from "../lite/queries/lookup.ts";
import { expectBlock, openBlock, proofRoot, proven, stateHashAfter } from "../lite/queries/proven.ts";
import { askProven } from "../lite/server/LiteServer.ts";
import { getBlockHeader } from "../lite/tl/liteQueries.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../model/block/BlockId.ts";
import type { Hash } from "../model/Hash.ts";
import type { Chain } from "./Chain.ts";

/** The newest masterchain block, its state, and the beginning of the chain. */
export interface MasterchainInfo {
  readonly last: BlockIdExt;
  readonly stateRootHash: Hash;
  readonly zeroState: BlockIdExt;
}

export async function getMasterchainInfo(chain: Chain): Promise<MasterchainInfo> {
  const last = chain.head.block;
  return { last, stateRootHash: await getStateHash(chain, last), zeroState: chain.zeroState };
}

/** Includes the state update, which is not part of the header. */
const withStateUpdate = 1;

async function getStateHash(chain: Chain, block: BlockIdExt): Promise<Hash> {
  return chain.caches.stateHashes.get(chain, block.rootHash, (server, asking) =>
    askProven(
      server,
      getBlockHeader,
      { id: blockIdToTl(block), mode: withStateUpdate },
      (answer) =>
        proven("state hash", () => {
          expectBlock(answer.id, block);
          return stateHashAfter(openBlock(proofRoot(answer.headerProof), block).block);
        }),
      asking,
    ),
  );
}

/** The masterchain block with a seqno, proved to be an ancestor of the newest one; the newest one itself by default. */
export async function getMasterBlock(chain: Chain, seqno: number | undefined): Promise<BlockIdExt> {
  if (seqno === undefined) return chain.head.block;
  const block = await lookUpMaster(chain, seqno);
  chain.onBlock?.(block);
  return block;
}

async function lookUpMaster({ server, head, asking }: Chain, seqno: number): Promise<BlockIdExt> {
  if (seqno === head.block.seqno) return head.block;
  const asked = { workchain: masterchain, shard: wholeShard, by: "seqno", seqno } as const;
  return (await lookUpProven(server, head.block, asked, asking)).id;
}
