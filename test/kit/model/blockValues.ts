import fc from "fast-check";
import { makeLinked } from "../../../src/cell/linked.ts";
import type { Account, AccountState, ShardAccount, StorageInfo } from "../../../src/model/Account.ts";
import { Account as accountCodec } from "../../../src/model/Account.ts";
import { type BlockIdExt, type ExtBlkRef, makeShard, type ShardIdent } from "../../../src/model/block/BlockId.ts";
import type { BlockInfo } from "../../../src/model/block/BlockInfo.ts";
import type { ShardDescription } from "../../../src/model/block/ShardHashes.ts";
import type { ValueFlow } from "../../../src/model/block/ValueFlow.ts";
import { anyExtra, anyStateInit } from "./messageValues.ts";
import { anyAddress, anyBig, anyHash, anyInt32, anyUint, anyUint32, anyUint64, orAbsent } from "./modelValues.ts";

/** Shards that cells can represent: prefixes of up to 60 bits. */
export const anyShard = fc.tuple(anyUint64, fc.nat({ max: 60 })).map(([prefix, length]) => makeShard(prefix, length));

export const anyShardIdent: fc.Arbitrary<ShardIdent> = fc.record({ workchain: anyInt32, shard: anyShard });
export const anyBlockIdExt: fc.Arbitrary<BlockIdExt> = fc.record({
  workchain: anyInt32,
  shard: anyShard,
  seqno: anyUint32,
  rootHash: anyHash,
  fileHash: anyHash,
});
export const anyBlockRef: fc.Arbitrary<ExtBlkRef> = fc.record({
  endLt: anyUint64,
  seqno: anyUint32,
  rootHash: anyHash,
  fileHash: anyHash,
});

/** Fields that depend on flags are present exactly when the flags are set. */
export const anyBlockInfo: fc.Arbitrary<BlockInfo> = fc
  .record({
    version: anyUint32,
    notMaster: fc.boolean(),
    afterMerge: fc.boolean(),
    beforeSplit: fc.boolean(),
    afterSplit: fc.boolean(),
    wantSplit: fc.boolean(),
    wantMerge: fc.boolean(),
    keyBlock: fc.boolean(),
    vertSeqnoIncr: fc.boolean(),
    seqno: anyUint32,
    vertSeqno: anyUint32,
    shard: anyShardIdent,
    genUtime: anyUint32,
    startLt: anyUint64,
    endLt: anyUint64,
    genValidatorListHashShort: anyUint32,
    genCatchainSeqno: anyUint32,
    minRefMcSeqno: anyUint32,
    prevKeyBlockSeqno: anyUint32,
    genSoftware: orAbsent(fc.record({ version: anyUint32, capabilities: anyUint64 })),
    masterRef: anyBlockRef,
    prev: fc.tuple(anyBlockRef, anyBlockRef),
    prevVert: anyBlockRef,
  })
  .map((info) => ({
    ...info,
    masterRef: info.notMaster ? info.masterRef : undefined,
    prev: info.afterMerge ? info.prev : info.prev.slice(0, 1),
    prevVert: info.vertSeqnoIncr ? info.prevVert : undefined,
  }));

const anyAmount = fc.record({ coins: anyBig(64), extra: anyExtra });
const passed = fc.record({
  fromPrevBlock: anyAmount,
  toNextBlock: anyAmount,
  imported: anyAmount,
  exported: anyAmount,
});
const made = fc.record({ feesImported: anyAmount, recovered: anyAmount, created: anyAmount, minted: anyAmount });

export const anyValueFlow: fc.Arbitrary<ValueFlow> = fc.oneof(
  fc.record({ kind: fc.constant<"v1">("v1"), passed, feesCollected: anyAmount, made }),
  fc.record({ kind: fc.constant<"v2">("v2"), passed, feesCollected: anyAmount, burned: anyAmount, made }),
);

const anyFuture = fc.oneof(
  fc.record({ kind: fc.constant<"none">("none") }),
  fc.record({ kind: fc.constantFrom<"split" | "merge">("split", "merge"), at: anyUint32, interval: anyUint32 }),
);

export const anyShardDescription: fc.Arbitrary<ShardDescription> = fc.record({
  kind: fc.constantFrom<"old" | "new">("old", "new"),
  seqno: anyUint32,
  regMcSeqno: anyUint32,
  startLt: anyUint64,
  endLt: anyUint64,
  rootHash: anyHash,
  fileHash: anyHash,
  beforeSplit: fc.boolean(),
  beforeMerge: fc.boolean(),
  wantSplit: fc.boolean(),
  wantMerge: fc.boolean(),
  nextCatchainUpdated: fc.boolean(),
  flags: fc.nat({ max: 7 }),
  nextCatchainSeqno: anyUint32,
  nextValidatorShard: anyUint64,
  minRefMcSeqno: anyUint32,
  genUtime: anyUint32,
  splitMergeAt: anyFuture,
  funds: fc.record({ feesCollected: anyAmountOfCoins(), fundsCreated: anyAmountOfCoins() }),
});

/** The old form has no room for extra currencies. */
function anyAmountOfCoins() {
  return fc.record({ coins: anyBig(32), extra: anyExtra.filter((extra) => extra.isEmpty) });
}

/** A frozen account with a storage dictionary leaves little room for amounts. */
const anyStorageInfo: fc.Arbitrary<StorageInfo> = fc.record({
  used: fc.record({ cells: anyUint(24), bits: anyUint(24) }),
  extra: fc.oneof(
    fc.record({ kind: fc.constant<"none">("none") }),
    fc.record({ kind: fc.constant<"info">("info"), dictHash: anyBig(256) }),
  ),
  lastPaid: anyUint32,
  duePayment: orAbsent(anyBig(16)),
});

const anyAccountState: fc.Arbitrary<AccountState> = fc.oneof(
  fc.record({ kind: fc.constant<"uninit">("uninit") }),
  fc.record({ kind: fc.constant<"active">("active"), init: anyStateInit }),
  fc.record({ kind: fc.constant<"frozen">("frozen"), stateHash: anyHash }),
);

export const anyAccount: fc.Arbitrary<Account> = fc.oneof(
  fc.record({ kind: fc.constant<"none">("none") }),
  fc.record({
    kind: fc.constant<"account">("account"),
    address: anyAddress,
    storageInfo: anyStorageInfo,
    storage: fc.record({
      lastTransactionLt: anyUint64,
      balance: fc.record({ coins: anyBig(32), extra: anyExtra }),
      state: anyAccountState,
    }),
  }),
);

export const anyShardAccount: fc.Arbitrary<ShardAccount> = fc.record({
  account: anyAccount.map((account) => makeLinked(accountCodec, account)),
  lastTransactionHash: anyHash,
  lastTransactionLt: anyUint64,
});
