import { sliceOf } from "../../cell/Slice.ts";
import { checkConfig } from "../../lite/queries/config.ts";
import { blockIdToTl } from "../../lite/queries/ids.ts";
import { openBlock, openState, proofError, proofRoot, proven } from "../../lite/queries/proven.ts";
import { askProven } from "../../lite/server/LiteServer.ts";
import { getConfigAll } from "../../lite/tl/liteQueries.ts";
import type { configInfo } from "../../lite/tl/liteRecords.ts";
import type { TlValue } from "../../lite/tl/types.ts";
import { CurrencyCollection } from "../../model/Currency.ts";
import { ConfigParams } from "../../model/config/ConfigParams.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Chain } from "../Chain.ts";

/** The configuration of a masterchain state, with its neighbouring fields. */
export interface ConfigState {
  readonly params: ConfigParams["params"];
  /** The configuration contract, in the masterchain. */
  readonly contract: Hash;
  /** All coins of the network. */
  readonly globalBalance: CurrencyCollection;
}

/** The configuration at the block of the chain. */
export async function getConfigState({ server, head: { block }, asking }: Chain): Promise<ConfigState> {
  const check = (answer: TlValue<typeof configInfo>): ConfigState => {
    checkConfig(block, answer);
    return proven("configuration", () => {
      const proved = openBlock(proofRoot(answer.stateProof), block);
      const { custom } = openState(proofRoot(answer.configProof), proved);
      if (custom === undefined) throw proofError("a masterchain state without McStateExtra");
      return readExtra(sliceOf(custom));
    });
  };
  return askProven(server, getConfigAll, { mode: 0, id: blockIdToTl(block) }, check, asking);
}

// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams ^[ … ] global_balance:CurrencyCollection
/** Reads without the parts that the proof leaves out, so the codec of the whole cannot be used. */
function readExtra(extra: ReturnType<typeof sliceOf>): ConfigState {
  if (extra.loadUint(16) !== 0xcc26) throw proofError("a masterchain state with an unknown McStateExtra");
  extra.loadMaybeRef();
  const { params, configAccount: contract } = ConfigParams.load(extra);
  return { params, contract, globalBalance: CurrencyCollection.load(extra.skipRefs(1)) };
}
