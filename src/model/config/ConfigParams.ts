import type { Cell } from "../../cell/Cell.ts";
import { type Codec, cell, int32, struct, unit, type ValueOf } from "../../cell/codec.ts";
import { Dictionary, dictionary, inlineDictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { ExtraCurrencies } from "../Currency.ts";
import { hash } from "../Hash.ts";
import { JettonBridgeParams, OracleBridgeParams } from "./bridges.ts";
import { ConfigVotingSetup } from "./ConfigProposal.ts";
import { CatchainConfig, ConsensusConfig, NewConsensusConfigAll } from "./ConsensusConfig.ts";
import { FundamentalContracts, PrecompiledContractsConfig, SuspendedAddressList } from "./contracts.ts";
import { GasLimitsPrices } from "./GasLimitsPrices.ts";
import { GlobalVersion } from "./GlobalVersion.ts";
import { BlockLimits, SizeLimitsConfig } from "./limits.ts";
import { BlockCreateFees, ComplaintPricing, MintPrices, MsgForwardPrices, StoragePriceList } from "./prices.ts";
import { findParam, getParam, paramKey, paramsTree } from "./readConfig.ts";
import { ValidatorSet } from "./ValidatorSet.ts";
import {
  BurningConfig,
  ElectionTimings,
  MisbehaviourPunishmentConfig,
  StakeLimits,
  ValidatorCounts,
  ValidatorSignedTempKey,
} from "./validation.ts";
import { Workchains } from "./WorkchainDescr.ts";

/** Every parameter of the scheme, by its number. Accounts of 256 bits are in the masterchain. */
export const configParam = {
  // _ config_addr:bits256 = ConfigParam 0;
  0: hash,
  // _ elector_addr:bits256 = ConfigParam 1;
  1: hash,
  // _ minter_addr:bits256 = ConfigParam 2;
  2: hash,
  // _ fee_collector_addr:bits256 = ConfigParam 3;
  3: hash,
  // _ dns_root_addr:bits256 = ConfigParam 4;
  4: hash,
  // _ BurningConfig = ConfigParam 5;
  5: BurningConfig,
  // _ mint_new_price:Grams mint_add_price:Grams = ConfigParam 6;
  6: MintPrices,
  // _ to_mint:ExtraCurrencyCollection = ConfigParam 7;
  7: ExtraCurrencies,
  // _ GlobalVersion = ConfigParam 8;
  8: GlobalVersion,
  // _ mandatory_params:(Hashmap 32 True) = ConfigParam 9;
  9: inlineDictionary(paramKey, unit),
  // _ critical_params:(Hashmap 32 True) = ConfigParam 10;
  10: inlineDictionary(paramKey, unit),
  // _ ConfigVotingSetup = ConfigParam 11;
  11: ConfigVotingSetup,
  // _ workchains:(HashmapE 32 WorkchainDescr) = ConfigParam 12;
  12: Workchains,
  // _ ComplaintPricing = ConfigParam 13;
  13: ComplaintPricing,
  // _ BlockCreateFees = ConfigParam 14;
  14: BlockCreateFees,
  // _ validators_elected_for:uint32 … = ConfigParam 15;
  15: ElectionTimings,
  // _ max_validators:(## 16) … = ConfigParam 16;
  16: ValidatorCounts,
  // _ min_stake:Grams … = ConfigParam 17;
  17: StakeLimits,
  // _ (Hashmap 32 StoragePrices) = ConfigParam 18;
  18: StoragePriceList,
  // _ global_id:int32 = ConfigParam 19;
  19: int32,
  // config_mc_gas_prices#_ GasLimitsPrices = ConfigParam 20;
  20: GasLimitsPrices,
  // config_gas_prices#_ GasLimitsPrices = ConfigParam 21;
  21: GasLimitsPrices,
  // config_mc_block_limits#_ BlockLimits = ConfigParam 22;
  22: BlockLimits,
  // config_block_limits#_ BlockLimits = ConfigParam 23;
  23: BlockLimits,
  // config_mc_fwd_prices#_ MsgForwardPrices = ConfigParam 24;
  24: MsgForwardPrices,
  // config_fwd_prices#_ MsgForwardPrices = ConfigParam 25;
  25: MsgForwardPrices,
  // _ CatchainConfig = ConfigParam 28;
  28: CatchainConfig,
  // _ ConsensusConfig = ConfigParam 29;
  29: ConsensusConfig,
  // _ NewConsensusConfigAll = ConfigParam 30;
  30: NewConsensusConfigAll,
  // _ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31;
  31: FundamentalContracts,
  // _ prev_validators:ValidatorSet = ConfigParam 32;
  32: ValidatorSet,
  // _ prev_temp_validators:ValidatorSet = ConfigParam 33;
  33: ValidatorSet,
  // _ cur_validators:ValidatorSet = ConfigParam 34;
  34: ValidatorSet,
  // _ cur_temp_validators:ValidatorSet = ConfigParam 35;
  35: ValidatorSet,
  // _ next_validators:ValidatorSet = ConfigParam 36;
  36: ValidatorSet,
  // _ next_temp_validators:ValidatorSet = ConfigParam 37;
  37: ValidatorSet,
  // _ (HashmapE 256 ValidatorSignedTempKey) = ConfigParam 39;
  39: dictionary(hashKey, ValidatorSignedTempKey),
  // _ MisbehaviourPunishmentConfig = ConfigParam 40;
  40: MisbehaviourPunishmentConfig,
  // _ SizeLimitsConfig = ConfigParam 43;
  43: SizeLimitsConfig,
  // _ SuspendedAddressList = ConfigParam 44;
  44: SuspendedAddressList,
  // _ PrecompiledContractsConfig = ConfigParam 45;
  45: PrecompiledContractsConfig,
  // _ OracleBridgeParams = ConfigParam 71; Ethereum
  71: OracleBridgeParams,
  // _ OracleBridgeParams = ConfigParam 72; Binance Smart Chain
  72: OracleBridgeParams,
  // _ OracleBridgeParams = ConfigParam 73; Polygon
  73: OracleBridgeParams,
  // _ JettonBridgeParams = ConfigParam 79; tokens of Ethereum
  79: JettonBridgeParams,
  // _ JettonBridgeParams = ConfigParam 81; tokens of Binance Smart Chain
  81: JettonBridgeParams,
  // _ JettonBridgeParams = ConfigParam 82; tokens of Polygon
  82: JettonBridgeParams,
} as const satisfies Readonly<Record<number, Codec<unknown>>>;

export type ConfigParamId = keyof typeof configParam;
export type ConfigParamValue<Id extends ConfigParamId> = ValueOf<(typeof configParam)[Id]>;

// _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams;
export const ConfigParams = struct({ configAccount: hash, params: paramsTree });
export type ConfigParams = ValueOf<typeof ConfigParams>;

/** The parameters without the address of their account. */
export type Config = Pick<ConfigParams, "params">;

/** The configuration with this dictionary root, the form that nodes and machines use. */
export function configFromRoot(root: Cell): Config {
  return { params: new Dictionary(root, paramKey, cell) };
}

/** The value of a parameter; its type follows from its number. */
export function findConfigParam<Id extends ConfigParamId>(config: Config, id: Id): ConfigParamValue<Id> | undefined {
  // The codec and the type of a value have the same number.
  return findParam<unknown>(config, id, configParam[id]) as ConfigParamValue<Id> | undefined;
}

export function getConfigParam<Id extends ConfigParamId>(config: Config, id: Id): ConfigParamValue<Id> {
  return getParam<unknown>(config, id, configParam[id]) as ConfigParamValue<Id>;
}
