import type { Cell } from "../cell/Cell.ts";
import { type ConfigAt, fetchConfig, fetchConfigParams } from "../lite/queries/config.ts";
import type { BlockIdExt } from "../model/block/BlockId.ts";
import type { Chain } from "./Chain.ts";
import { getMasterBlock } from "./head.ts";

/** The whole configuration of a masterchain block. */
export async function getConfig(chain: Chain, block: BlockIdExt): Promise<ConfigAt> {
  return chain.caches.configs.get(chain, block.rootHash, (server, asking) => fetchConfig(server, block, asking));
}

/** One parameter's cell at the block with this seqno, or at the newest. */
export async function findConfigCell(chain: Chain, id: number, seqno?: number): Promise<Cell | undefined> {
  const block = await getMasterBlock(chain, seqno);
  return (await fetchConfigParams(chain.server, block, [id], chain.asking)).config.params.find(id);
}

/** The root of all parameters at the block with this seqno, or at the newest. */
export async function findConfigRoot(chain: Chain, seqno?: number): Promise<Cell | undefined> {
  return (await getConfig(chain, await getMasterBlock(chain, seqno))).config.params.root;
}
