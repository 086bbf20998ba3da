import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { type BlockIdExt, masterchain } from "../../model/block/BlockId.ts";
import type { HeaderFields } from "../../model/block/BlockInfo.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import { loadConfig } from "../../model/config/readConfig.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getConfigAll, getConfigParams } from "../tl/liteQueries.ts";
import type { configInfo } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { blockIdToTl } from "./ids.ts";
import { expectBlock, openBlock, openState, proofError, proofRoot, proven } from "./proven.ts";

type ConfigAnswer = TlValue<typeof configInfo>;

/** The configuration at a masterchain block; parameters that were not requested may be missing. */
export interface ConfigAt {
  readonly block: BlockIdExt;
  readonly header: HeaderFields;
  readonly config: Config;
}

/** The configuration inside `McStateExtra`, after the shard list, without reading the rest. */
export function configOfStateExtra(extra: Cell): Config {
  const slice = sliceOf(extra);
  if (slice.loadUint(16) !== 0xcc26) throw proofError("a masterchain state with an unknown McStateExtra");
  slice.loadMaybeRef();
  return loadConfig(slice);
}

/** The whole configuration: every parameter must exist. */
export function checkConfig(block: BlockIdExt, answer: ConfigAnswer): ConfigAt {
  return proven("configuration", () => {
    const at = openConfig(block, answer);
    if (at.config.params.root?.levelMask !== 0) throw proofError("an incomplete configuration");
    return at;
  });
}

/** Some parameters: those requested must exist, or be proved not to. */
export function checkConfigParams(block: BlockIdExt, ids: readonly number[], answer: ConfigAnswer): ConfigAt {
  return proven("configuration", () => {
    const at = openConfig(block, answer);
    for (const id of ids) {
      if ((at.config.params.find(id)?.levelMask ?? 0) !== 0) throw proofError(`parameter ${id} is incomplete`);
    }
    return at;
  });
}

function openConfig(block: BlockIdExt, answer: ConfigAnswer): ConfigAt {
  expectBlock(answer.id, block);
  if (block.workchain !== masterchain) throw proofError("configuration of a block outside the masterchain");
  const proved = openBlock(proofRoot(answer.stateProof), block);
  const state = openState(proofRoot(answer.configProof), proved);
  if (state.custom === undefined) throw proofError("a masterchain state without McStateExtra");
  return { block, header: proved.header, config: configOfStateExtra(state.custom) };
}

/** The whole configuration. */
export async function fetchConfig(server: LiteServer, block: BlockIdExt, options: TypedAskOptions): Promise<ConfigAt> {
  const args = { mode: 0, id: blockIdToTl(block) };
  return askProven(server, getConfigAll, args, (answer) => checkConfig(block, answer), options);
}

/** Some parameters; reading others from the result is `cell/pruned`. */
export async function fetchConfigParams(
  server: LiteServer,
  block: BlockIdExt,
  ids: readonly number[],
  options: TypedAskOptions,
): Promise<ConfigAt> {
  const args = { mode: 0, id: blockIdToTl(block), paramList: ids };
  return askProven(server, getConfigParams, args, (answer) => checkConfigParams(block, ids, answer), options);
}
