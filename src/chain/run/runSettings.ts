import { sliceOf } from "../../cell/Slice.ts";
import { checkConfig } from "../../lite/queries/config.ts";
import { blockIdToTl } from "../../lite/queries/ids.ts";
import { openBlock, openState, proofError, proofRoot, proven } from "../../lite/queries/proven.ts";
import { askProven } from "../../lite/server/LiteServer.ts";
import { getConfigAll } from "../../lite/tl/liteQueries.ts";
import type { configInfo } from "../../lite/tl/liteRecords.ts";
import type { TlValue } from "../../lite/tl/types.ts";
import { type BlockIdExt, ExtBlkRef, masterBlockId } from "../../model/block/BlockId.ts";
import { OldMcBlocksInfo } from "../../model/block/McStateExtra.ts";
import type { StateOutline } from "../../model/block/outlines.ts";
import { previousBlocksTuple } from "../../model/vm/previousBlocks.ts";
import type { VmStackValue } from "../../model/vm/VmStack.ts";
import type { Chain } from "../Chain.ts";
import type { RunSettings } from "../ChainCaches.ts";

/** Proves the list of old blocks along with the configuration. */
const withOldBlocks = 0x80;
const listLength = 16;

/** The environment at the newest block, independent of the block at which the account was read. */
export async function getRunSettings(chain: Chain): Promise<RunSettings> {
  const { block } = chain.head;
  const check = (answer: TlValue<typeof configInfo>): RunSettings => {
    const { config } = checkConfig(block, answer);
    const previousBlocks = proven("previous blocks", () => {
      const proved = openBlock(proofRoot(answer.stateProof), block);
      return readPrevious(openState(proofRoot(answer.configProof), proved), block);
    });
    return { config, previousBlocks };
  };
  const args = { mode: withOldBlocks, id: blockIdToTl(block) };
  return chain.caches.runSettings.get(chain, block.rootHash, (server, asking) =>
    askProven(server, getConfigAll, args, check, asking),
  );
}

// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams ^[ flags:(## 16)
// validator_info:ValidatorInfo
//   prev_blocks:OldMcBlocksInfo after_key_block:Bool last_key_block:(Maybe ExtBlkRef) … ] …
/** Reads without the parts that the proof leaves out, so the codec of the whole cannot be used. */
function readPrevious(state: StateOutline, block: BlockIdExt): VmStackValue {
  if (state.custom === undefined) throw proofError("a masterchain state without McStateExtra");
  const extra = sliceOf(state.custom);
  if (extra.loadUint(16) !== 0xcc26) throw proofError("a masterchain state with an unknown McStateExtra");
  extra.loadMaybeRef();
  const history = sliceOf(extra.skip(256).skipRefs(1).loadRef());
  const old = OldMcBlocksInfo.load(history.skip(16 + 65));
  const isAfterKeyBlock = history.loadBit();
  const lastKeyBlock = history.loadBit() ? masterBlockId(ExtBlkRef.load(history)) : undefined;
  const find = (seqno: number): BlockIdExt => (seqno === block.seqno ? block : masterBlockId(old.get(seqno).block));
  const last = countDown(block.seqno, 1).map(find);
  const hundreds = countDown(Math.floor(block.seqno / 100) * 100, 100).map(find);
  const keyBlock = isAfterKeyBlock ? block : (lastKeyBlock ?? find(0));
  return previousBlocksTuple({ last, lastKeyBlock: keyBlock, lastHundreds: hundreds });
}

/** From a seqno down to zero, at most as many as code may access. */
function countDown(from: number, step: number): number[] {
  return Array.from({ length: listLength }, (_, i) => from - i * step).filter((seqno) => seqno >= 0);
}
