import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { storeCell } from "../../cell/codec.ts";
import { makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { type ConfigParamId, type ConfigParamValue, configParam } from "../../model/config/ConfigParams.ts";
import { hashToBytes } from "../../model/Hash.ts";
import { configAccount } from "../genesis/genesisConfig.ts";
import type { SigningKey } from "../wallets/SigningKey.ts";
import { makeExternal } from "../wallets/transfer.ts";

export interface ConfigChangeOptions {
  /** The number of signed changes so far, as returned by the contract's get-method `seqno`. */
  readonly seqno: number;
  readonly now: number;
}

// action#43665021 seqno:uint32 valid_until:uint32 index:int32 value:^Cell
const changeParameter = 0x43665021;
const validSeconds = 60;

/** The message with which the owner of a network changes one parameter of its configuration. */
export function signConfigChange<Id extends ConfigParamId>(
  owner: SigningKey,
  id: Id,
  value: ConfigParamValue<Id>,
  { seqno, now }: ConfigChangeOptions,
): Cell {
  const content = beginCell()
    .storeUint(changeParameter, 32)
    .storeUint(seqno, 32)
    .storeUint(now + validSeconds, 32)
    .storeInt(id, 32)
    .storeRef(storeCell<unknown>(configParam[id], value));
  const signature = owner.sign(hashToBytes(content.cell().hash()));
  const body = beginCell().storeBytes(signature).storeBuilder(content).cell();
  return makeExternal(makeAddress(masterchain, configAccount), body);
}
