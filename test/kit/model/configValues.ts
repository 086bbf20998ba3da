import fc from "fast-check";
import { uint32, unit, varUint } from "../../../src/cell/codec.ts";
import { hashKey, intKey, uintKey } from "../../../src/cell/keys.ts";
import type { ConfigParamId, ConfigParamValue } from "../../../src/model/config/ConfigParams.ts";
import { addressKey, PrecompiledSmc } from "../../../src/model/config/contracts.ts";
import type { GasLimitsPrices } from "../../../src/model/config/GasLimitsPrices.ts";
import { StoragePrices } from "../../../src/model/config/prices.ts";
import { ValidatorSignedTempKey } from "../../../src/model/config/validation.ts";
import { WorkchainDescr } from "../../../src/model/config/WorkchainDescr.ts";
import { hash } from "../../../src/model/Hash.ts";
import {
  anyAddress,
  anyCoins,
  anyHash,
  anyInt32,
  anyUint,
  anyUint8,
  anyUint16,
  anyUint32,
  anyUint64,
  orAbsent,
} from "./modelValues.ts";
import { anyDictionary, anySignature, anyValidatorSet, ascending } from "./validatorValues.ts";

const positive = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const yes = fc.constant<true>(true);
const noFlags = fc.constant(0);

const gasFields = {
  gasPrice: anyUint64,
  gasLimit: anyUint64,
  gasCredit: anyUint64,
  blockGasLimit: anyUint64,
  freezeDueLimit: anyUint64,
  deleteDueLimit: anyUint64,
};
const unprefixed: fc.Arbitrary<GasLimitsPrices> = fc.oneof(
  fc.record({ kind: fc.constant<"plain">("plain"), ...gasFields }),
  fc.record({ kind: fc.constant<"extended">("extended"), ...gasFields, specialGasLimit: anyUint64 }),
);
const anyGasPrices: fc.Arbitrary<GasLimitsPrices> = fc.oneof(
  unprefixed,
  fc.record({
    kind: fc.constant<"flat">("flat"),
    flatGasLimit: anyUint64,
    flatGasPrice: anyUint64,
    other: unprefixed,
  }),
);

const limits = ascending(3, anyUint32).map(([underload = 0, softLimit = 0, hardLimit = 0]) => ({
  underload,
  softLimit,
  hardLimit,
}));
const blockLimits = { bytes: limits, gas: limits, ltDelta: limits };
const anyBlockLimits: fc.Arbitrary<ConfigParamValue<22>> = fc.oneof(
  fc.record({ kind: fc.constant<"v1">("v1"), ...blockLimits }),
  fc.record({
    kind: fc.constant<"v2">("v2"),
    ...blockLimits,
    collatedData: limits,
    importedMessageQueue: fc.record({ maxBytes: anyUint32, maxMessages: anyUint32 }),
  }),
);

const forwardPrices: fc.Arbitrary<ConfigParamValue<24>> = fc.record({
  lumpPrice: anyUint64,
  bitPrice: anyUint64,
  cellPrice: anyUint64,
  ihrPriceFactor: anyUint32,
  firstFrac: anyUint16,
  nextFrac: anyUint16,
});

const proposalSetup = fc
  .record({
    rounds: ascending(2, anyUint8),
    minWins: anyUint8,
    maxLosses: anyUint8,
    seconds: ascending(2, anyUint32),
    bitPrice: anyUint32,
    cellPrice: anyUint32,
  })
  .map(
    ({
      rounds: [minTotalRounds = 0, maxTotalRounds = 0],
      seconds: [minStoreSeconds = 0, maxStoreSeconds = 0],
      ...s
    }) => ({
      minTotalRounds,
      maxTotalRounds,
      minWins: s.minWins,
      maxLosses: s.maxLosses,
      minStoreSeconds,
      maxStoreSeconds,
      bitPrice: s.bitPrice,
      cellPrice: s.cellPrice,
    }),
  );

const workchainFormat: fc.Arbitrary<WorkchainDescr["format"]> = fc.oneof(
  fc.record({ kind: fc.constant<"basic">("basic"), vmVersion: anyInt32, vmMode: anyUint64 }),
  fc
    .record({ lengths: ascending(2, fc.integer({ min: 64, max: 1023 })), step: fc.nat({ max: 1023 }), id: positive })
    .map(({ lengths: [minAddressLength = 64, maxAddressLength = 64], step, id }) => ({
      kind: "extended" as const,
      minAddressLength,
      maxAddressLength,
      addressLengthStep: step,
      workchainTypeId: id,
    })),
);
const workchainHead = fc
  .record({
    enabledSinceAt: anyUint32,
    splits: ascending(3, fc.nat({ max: 60 })),
    active: fc.boolean(),
    acceptMessages: fc.boolean(),
    zerostateRootHash: anyHash,
    zerostateFileHash: anyHash,
    version: anyUint32,
    format: workchainFormat,
  })
  .map(({ splits: [monitorMinSplit = 0, minSplit = 0, maxSplit = 0], ...head }) => ({
    ...head,
    monitorMinSplit,
    minSplit,
    maxSplit,
    basic: head.format.kind === "basic",
    flags: 0,
  }));
const timings = fc.record({
  splitMergeDelay: anyUint32,
  splitMergeInterval: anyUint32,
  minSplitMergeInterval: anyUint32,
  maxSplitMergeDelay: anyUint32,
});
const anyWorkchain: fc.Arbitrary<WorkchainDescr> = fc.oneof(
  workchainHead.map((head) => ({ kind: "v1" as const, ...head })),
  fc.tuple(workchainHead, timings, fc.nat({ max: 63 })).map(([head, splitMergeTimings, persistentStateSplitDepth]) => ({
    kind: "v2" as const,
    ...head,
    splitMergeTimings,
    persistentStateSplitDepth,
  })),
);

const lifetimes = {
  mcCatchainLifetime: positive,
  shardCatchainLifetime: positive,
  shardValidatorsLifetime: positive,
  shardValidatorsNum: positive,
};
const rounds = {
  nextCandidateDelayMs: anyUint32,
  consensusTimeoutMs: anyUint32,
  fastAttempts: anyUint32,
  attemptDuration: anyUint32,
  catchainMaxDeps: anyUint32,
  maxBlockBytes: anyUint32,
  maxCollatedBytes: anyUint32,
};
const newer = { flags: noFlags, newCatchainIds: fc.boolean(), roundCandidates: fc.integer({ min: 1, max: 255 }) };
const anyConsensus: fc.Arbitrary<ConfigParamValue<29>> = fc.oneof(
  fc.record({ kind: fc.constant<"v1">("v1"), roundCandidates: positive, ...rounds }),
  fc.record({ kind: fc.constant<"v2">("v2"), ...newer, ...rounds }),
  fc.record({ kind: fc.constant<"v3">("v3"), ...newer, ...rounds, protoVersion: anyUint16 }),
  fc.record({
    kind: fc.constant<"v4">("v4"),
    ...newer,
    useQuic: fc.boolean(),
    ...rounds,
    protoVersion: anyUint16,
    catchainMaxBlocksCoeff: anyUint32,
  }),
);
const anySimplex: fc.Arbitrary<NonNullable<ConfigParamValue<30>["mc"]>> = fc.oneof(
  fc.record({
    kind: fc.constant<"simplex">("simplex"),
    flags: anyUint(7),
    useQuic: fc.boolean(),
    targetRateMs: anyUint32,
    slotsPerLeaderWindow: positive,
    firstBlockTimeoutMs: anyUint32,
    maxLeaderWindowDesync: anyUint32,
  }),
  fc.record({
    kind: fc.constant<"simplexV2">("simplexV2"),
    flags: anyUint(5),
    protocolVersion: anyUint(2),
    useQuic: fc.boolean(),
    slotsPerLeaderWindow: positive,
    noncriticalParams: anyDictionary(uintKey(8), uint32, anyUint8, anyUint32),
  }),
);

const sizesV1 = {
  maxMessageBits: anyUint32,
  maxMessageCells: anyUint32,
  maxLibraryCells: anyUint32,
  maxVmDataDepth: anyUint16,
  maxExternalMessageSize: anyUint32,
  maxExternalMessageDepth: anyUint16,
};
const sizesV2 = {
  ...sizesV1,
  maxAccountStateCells: anyUint32,
  maxMcAccountStateCells: anyUint32,
  maxAccountPublicLibraries: anyUint32,
  deferOutQueueSizeLimit: anyUint32,
  maxMessageExtraCurrencies: anyUint32,
  maxAccountFixedPrefixLength: anyUint8,
  accountStateCellsForStorageDict: anyUint32,
  maxTransactionLibraryLoads: orAbsent(anyUint32),
};

const oracles = anyDictionary(hashKey, hash, anyHash, anyHash);
const oracleBridge: fc.Arbitrary<ConfigParamValue<71>> = fc.record({
  bridgeAccount: anyHash,
  oracleMultisigAccount: anyHash,
  oracles,
  externalChainAddress: anyHash,
});
const jettonHead = { bridgeAccount: anyHash, oraclesAccount: anyHash, oracles, stateFlags: anyUint8 };
const jettonBridge: fc.Arbitrary<ConfigParamValue<79>> = fc.oneof(
  fc.record({ kind: fc.constant<"v0">("v0"), ...jettonHead, burnBridgeFee: anyCoins }),
  fc.record({
    kind: fc.constant<"v1">("v1"),
    ...jettonHead,
    prices: fc.record({
      bridgeBurnFee: anyCoins,
      bridgeMintFee: anyCoins,
      walletMinTonsForStorage: anyCoins,
      walletGasConsumption: anyCoins,
      minterMinTonsForStorage: anyCoins,
      discoverGasConsumption: anyCoins,
    }),
    externalChainAddress: anyHash,
  }),
);
const paramSet = anyDictionary(intKey(32), unit, anyInt32, yes, 1);

/** Random values of every known parameter; a new parameter without an entry does not compile. */
export const anyParam: { readonly [Id in ConfigParamId]: fc.Arbitrary<ConfigParamValue<Id>> } = {
  0: anyHash,
  1: anyHash,
  2: anyHash,
  3: anyHash,
  4: anyHash,
  5: fc
    .record({ blackholeAccount: orAbsent(anyHash), parts: ascending(2, positive) })
    .map(({ blackholeAccount, parts: [feeBurnNum = 1, feeBurnDenom = 1] }) => ({
      blackholeAccount,
      feeBurnNum,
      feeBurnDenom,
    })),
  6: fc.record({ mintNewPrice: anyCoins, mintAddPrice: anyCoins }),
  7: anyDictionary(uintKey(32), varUint(32), anyUint32, anyCoins),
  8: fc.record({ version: anyUint32, capabilities: anyUint64 }),
  9: paramSet,
  10: paramSet,
  11: fc.record({ normalParams: proposalSetup, criticalParams: proposalSetup }),
  12: anyDictionary(intKey(32), WorkchainDescr, anyInt32, anyWorkchain),
  13: fc.record({ deposit: anyCoins, bitPrice: anyCoins, cellPrice: anyCoins }),
  14: fc.record({ masterchainBlockFee: anyCoins, basechainBlockFee: anyCoins }),
  15: fc.record({
    validatorsElectedFor: anyUint32,
    electionsStartBefore: anyUint32,
    electionsEndBefore: anyUint32,
    stakeHeldFor: anyUint32,
  }),
  16: ascending(3, fc.integer({ min: 1, max: 0xffff })).map(
    ([minValidators = 1, maxMainValidators = 1, maxValidators = 1]) => ({
      maxValidators,
      maxMainValidators,
      minValidators,
    }),
  ),
  17: fc.record({ minStake: anyCoins, maxStake: anyCoins, minTotalStake: anyCoins, maxStakeFactor: anyUint32 }),
  18: anyDictionary(
    uintKey(32),
    StoragePrices,
    anyUint32,
    fc.record({
      sinceAt: anyUint32,
      bitPrice: anyUint64,
      cellPrice: anyUint64,
      mcBitPrice: anyUint64,
      mcCellPrice: anyUint64,
    }),
    1,
  ),
  19: anyInt32,
  20: anyGasPrices,
  21: anyGasPrices,
  22: anyBlockLimits,
  23: anyBlockLimits,
  24: forwardPrices,
  25: forwardPrices,
  28: fc.oneof(
    fc.record({ kind: fc.constant<"plain">("plain"), ...lifetimes }),
    fc.record({
      kind: fc.constant<"shuffled">("shuffled"),
      flags: noFlags,
      shuffleMcValidators: fc.boolean(),
      ...lifetimes,
    }),
  ),
  29: anyConsensus,
  30: fc.record({ mc: orAbsent(anySimplex), shard: orAbsent(anySimplex) }),
  31: anyDictionary(hashKey, unit, anyHash, yes),
  32: anyValidatorSet,
  33: anyValidatorSet,
  34: anyValidatorSet,
  35: anyValidatorSet,
  36: anyValidatorSet,
  37: anyValidatorSet,
  39: anyDictionary(
    hashKey,
    ValidatorSignedTempKey,
    anyHash,
    fc.record({
      key: fc.record({ adnlAddress: anyHash, tempPublicKey: anyHash, seqno: anyUint32, validUntilAt: anyUint32 }),
      signature: anySignature,
    }),
  ),
  40: fc.record({
    defaultFlatFine: anyCoins,
    defaultProportionalFine: anyUint32,
    severityFlatMult: anyUint16,
    severityProportionalMult: anyUint16,
    unpunishableInterval: anyUint16,
    longInterval: anyUint16,
    longFlatMult: anyUint16,
    longProportionalMult: anyUint16,
    mediumInterval: anyUint16,
    mediumFlatMult: anyUint16,
    mediumProportionalMult: anyUint16,
  }),
  43: fc.oneof(
    fc.record({ kind: fc.constant<"v1">("v1"), ...sizesV1 }),
    fc.record({ kind: fc.constant<"v2">("v2"), ...sizesV2 }),
    fc.record({
      kind: fc.constant<"v3">("v3"),
      ...sizesV2,
      maxTotalMessageBits: anyUint32,
      maxTotalMessageCells: anyUint32,
    }),
  ),
  44: fc.record({
    addresses: anyDictionary(addressKey, unit, anyAddress, yes),
    suspendedUntilAt: anyUint32,
  }),
  45: fc.record({ list: anyDictionary(hashKey, PrecompiledSmc, anyHash, fc.record({ gasUsage: anyUint64 })) }),
  71: oracleBridge,
  72: oracleBridge,
  73: oracleBridge,
  79: jettonBridge,
  81: jettonBridge,
  82: jettonBridge,
};
