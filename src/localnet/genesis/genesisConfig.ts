import type { Cell } from "../../cell/Cell.ts";
import { cell, storeCell, unit } from "../../cell/codec.ts";
import { type Dictionary, makeDictionary } from "../../cell/dictionary.ts";
import { hashKey, intKey, uintKey } from "../../cell/keys.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import {
  type ConfigParamId,
  type ConfigParams,
  type ConfigParamValue,
  configParam,
} from "../../model/config/ConfigParams.ts";
import { StoragePrices } from "../../model/config/prices.ts";
import { ValidatorDescr } from "../../model/config/ValidatorSet.ts";
import { WorkchainDescr } from "../../model/config/WorkchainDescr.ts";
import type { Hash } from "../../model/Hash.ts";

/** The global id of new local networks; no public network has it. */
export const localGlobalId = -777;

export const configAccount = "5".repeat(64) as Hash;
export const electorAccount = "3".repeat(64) as Hash;

/** The parameters of a new network's configuration. */
export interface GenesisFacts {
  readonly globalId: number;
  readonly bornAt: number;
  readonly basechainZero: BlockIdExt;
  readonly validatorKey: Hash;
  /** The ADNL address of the validator. */
  readonly validatorAddress: Hash;
  /** How often the basechain is split. */
  readonly splitDepth: number;
  /** How often it may be split by load; not at all by default. */
  readonly maxSplitDepth?: number;
  readonly globalVersion: number;
}

type KnownParams = { readonly [Id in ConfigParamId]?: ConfigParamValue<Id> };

const proposals = { minStoreSeconds: 1_000_000, maxStoreSeconds: 10_000_000, bitPrice: 1, cellPrice: 500 };
const gasCommon = { gasCredit: 10_000n, freezeDueLimit: 100_000_000n, deleteDueLimit: 1_000_000_000n };
const fractions = { ihrPriceFactor: 98_304, firstFrac: 21_845, nextFrac: 21_845 };
const ltLimits = { underload: 1_000, softLimit: 5_000, hardLimit: 10_000 };

/** Fees of storage, gas and messages: those of the main network. */
const prices: KnownParams = {
  18: makeDictionary(uintKey(32), StoragePrices, [
    [0, { sinceAt: 0, bitPrice: 1n, cellPrice: 500n, mcBitPrice: 1_000n, mcCellPrice: 500_000n }],
  ]),
  20: {
    kind: "flat",
    flatGasLimit: 100n,
    flatGasPrice: 1_000_000n,
    other: {
      kind: "extended",
      gasPrice: 655_360_000n,
      gasLimit: 1_000_000n,
      specialGasLimit: 70_000_000n,
      blockGasLimit: 2_500_000n,
      ...gasCommon,
    },
  },
  21: {
    kind: "flat",
    flatGasLimit: 100n,
    flatGasPrice: 40_000n,
    other: {
      kind: "extended",
      gasPrice: 26_214_400n,
      gasLimit: 1_000_000n,
      specialGasLimit: 1_000_000n,
      blockGasLimit: 10_000_000n,
      ...gasCommon,
    },
  },
  24: { lumpPrice: 10_000_000n, bitPrice: 655_360_000n, cellPrice: 65_536_000_000n, ...fractions },
  25: { lumpPrice: 400_000n, bitPrice: 26_214_400n, cellPrice: 2_621_440_000n, ...fractions },
};

const shardLimits = {
  kind: "v1",
  bytes: { underload: 262_144, softLimit: 1_048_576, hardLimit: 2_097_152 },
  gas: { underload: 2_000_000, softLimit: 10_000_000, hardLimit: 20_000_000 },
  ltDelta: ltLimits,
} as const;

/** Block limits: those of the main network. */
const limits: KnownParams = {
  22: {
    kind: "v1",
    bytes: { underload: 131_072, softLimit: 524_288, hardLimit: 1_048_576 },
    gas: { underload: 200_000, softLimit: 1_000_000, hardLimit: 2_500_000 },
    ltDelta: ltLimits,
  },
  23: shardLimits,
};

/** Blocks of shards that split by load are full at a quarter: a few hundred transfers per second shall show a split. */
const splittingLimits: KnownParams = {
  23: { ...shardLimits, bytes: { underload: 65_536, softLimit: 262_144, hardLimit: 524_288 } },
};

/** Consensus and validators. */
function consensus({ validatorKey, validatorAddress, bornAt }: GenesisFacts): KnownParams {
  return {
    28: {
      kind: "shuffled",
      flags: 0,
      shuffleMcValidators: true,
      mcCatchainLifetime: 250,
      shardCatchainLifetime: 250,
      shardValidatorsLifetime: 1_000,
      shardValidatorsNum: 1,
    },
    29: {
      kind: "v4",
      flags: 0,
      useQuic: false,
      newCatchainIds: true,
      roundCandidates: 3,
      nextCandidateDelayMs: 2_000,
      consensusTimeoutMs: 16_000,
      fastAttempts: 3,
      attemptDuration: 8,
      catchainMaxDeps: 4,
      maxBlockBytes: 2_097_152,
      maxCollatedBytes: 2_097_152,
      protoVersion: 5,
      catchainMaxBlocksCoeff: 10_000,
    },
    34: {
      kind: "extended",
      sinceAt: bornAt,
      untilAt: bornAt + electionTimes.validatorsElectedFor,
      total: 1,
      main: 1,
      totalWeight: validatorWeight,
      list: makeDictionary(uintKey(16), ValidatorDescr, [
        // Some clients read only validators with an ADNL address.
        [0, { kind: "withAddress", publicKey: validatorKey, weight: validatorWeight, adnlAddress: validatorAddress }],
      ]),
    },
  };
}

const validatorWeight = 17n;

function network({
  bornAt,
  basechainZero,
  globalId,
  splitDepth,
  maxSplitDepth,
  globalVersion,
}: GenesisFacts): KnownParams {
  const workchain: WorkchainDescr = {
    kind: "v2",
    enabledSinceAt: bornAt,
    monitorMinSplit: 0,
    minSplit: splitDepth,
    maxSplit: maxSplitDepth ?? splitDepth,
    basic: true,
    active: true,
    acceptMessages: true,
    flags: 0,
    zerostateRootHash: basechainZero.rootHash,
    zerostateFileHash: basechainZero.fileHash,
    version: 0,
    format: { kind: "basic", vmVersion: -1, vmMode: 0n },
    splitMergeTimings: {
      // No advance notice: the first blocks split immediately.
      splitMergeDelay: 0,
      splitMergeInterval: 100,
      minSplitMergeInterval: 30,
      maxSplitMergeDelay: 1_000,
    },
    persistentStateSplitDepth: 0,
  };
  return {
    8: { version: globalVersion, capabilities: 238n },
    12: makeDictionary(intKey(32), WorkchainDescr, [[0, workchain]]),
    19: globalId,
  };
}

/** The proportions are those of the main network; a term is 20 minutes instead of 18 hours. */
export const electionTimes = {
  validatorsElectedFor: 1_200,
  electionsStartBefore: 600,
  electionsEndBefore: 150,
  stakeHeldFor: 600,
} as const;

/** Mandatory parameters, and those that only a larger majority may change. */
const mandatory = [0, 1, 9, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 28, 34];
const critical = [0, 1, 9, 10, 12, 14, 15, 16, 17, 32, 34, 36];

const rules: KnownParams = {
  0: configAccount,
  1: electorAccount,
  2: "0".repeat(64) as Hash,
  // Nothing is burnt; some clients require the parameter.
  5: { blackholeAccount: undefined, feeBurnNum: 0, feeBurnDenom: 1 },
  9: makeDictionary(
    intKey(32),
    unit,
    mandatory.map((id) => [id, true]),
  ),
  10: makeDictionary(
    intKey(32),
    unit,
    critical.map((id) => [id, true]),
  ),
  11: {
    normalParams: { minTotalRounds: 2, maxTotalRounds: 6, minWins: 2, maxLosses: 5, ...proposals },
    criticalParams: { minTotalRounds: 4, maxTotalRounds: 7, minWins: 3, maxLosses: 5, ...proposals },
  },
  13: { deposit: 1_000_000_000n, bitPrice: 1n, cellPrice: 500n },
  14: { masterchainBlockFee: 1_700_000_000n, basechainBlockFee: 1_000_000_000n },
  15: electionTimes,
  16: { maxValidators: 400, maxMainValidators: 100, minValidators: 1 },
  // Funded wallets have a million coins.
  17: {
    minStake: 10_000_000_000_000n,
    maxStake: 10_000_000_000_000_000n,
    minTotalStake: 100_000_000_000_000n,
    maxStakeFactor: 196_608,
  },
  31: makeDictionary(
    hashKey,
    unit,
    [configAccount, electorAccount].map((account) => [account, true]),
  ),
};

/** The configuration of a new network: the main network's rules and prices, short terms, one validator. */
export function genesisConfig(facts: GenesisFacts): ConfigParams {
  const own = (facts.maxSplitDepth ?? 0) > facts.splitDepth ? splittingLimits : {};
  const known: KnownParams = { ...rules, ...prices, ...limits, ...own, ...consensus(facts), ...network(facts) };
  const entries = Object.entries(known).map(([id, value]): [number, Cell] => {
    const number = Number(id) as ConfigParamId;
    return [number, storeCell<unknown>(configParam[number], value)];
  });
  const params: Dictionary<number, Cell> = makeDictionary(intKey(32), cell, entries);
  return { configAccount, params };
}
