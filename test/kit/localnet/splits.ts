import { storeCell } from "../../../src/cell/codec.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import type { Localnet } from "../../../src/localnet/network/Localnet.ts";
import { basechain } from "../../../src/model/block/BlockId.ts";
import { configParam, getConfigParam } from "../../../src/model/config/ConfigParams.ts";

/** Changes how often the basechain is split, at least and at most, by the configuration. */
export function setSplitDepths({ ledger, controls }: Localnet, minSplit: number, maxSplit: number): void {
  const workchains = getConfigParam(new ChainView(ledger).config, 12);
  const changed = workchains.set(basechain, { ...workchains.get(basechain), minSplit, maxSplit });
  controls.setConfig(12, storeCell(configParam[12], changed));
}

/** The shards of the basechain after the newest block, from left to right. */
export function shardsOf(ledger: Ledger): string[] {
  return new ChainView(ledger).tops().map(({ shard }) => shard.toString(16).padStart(16, "0"));
}
