import fc from "fast-check";
import { uintKey } from "../../../src/cell/keys.ts";
import { inCell, Message } from "../../../src/model/Message.ts";
import type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  StoragePhase,
  StorageUsed,
} from "../../../src/model/phases.ts";
import type { AccountStatus, HashUpdate, Transaction, TransactionDescription } from "../../../src/model/Transaction.ts";
import { anyCurrency, anyExtra, anyMessageInCell } from "./messageValues.ts";
import {
  anyBig,
  anyCell,
  anyHash,
  anyInt32,
  anyUint,
  anyUint16,
  anyUint32,
  anyUint64,
  orAbsent,
} from "./modelValues.ts";
import { anyDictionary } from "./validatorValues.ts";

/** Small enough for a cell full of amounts. */
const anyFee = anyBig(56);
/** At most six bytes. */
const anySmall = anyUint(48);
export const anyUsed: fc.Arbitrary<StorageUsed> = fc.record({ cells: anySmall, bits: anySmall });
const anyChange = fc.constantFrom("unchanged", "frozen", "deleted");

export const anyStoragePhase: fc.Arbitrary<StoragePhase> = fc.record({
  feesCollected: anyFee,
  feesDue: orAbsent(anyFee),
  statusChange: anyChange,
});

export const anyCreditPhase: fc.Arbitrary<CreditPhase> = fc.record({
  dueFeesCollected: orAbsent(anyFee),
  credit: fc.record({ coins: anyFee, extra: anyExtra }),
});

export const anyComputePhase: fc.Arbitrary<ComputePhase> = fc.oneof(
  fc.record({
    kind: fc.constant<"skipped">("skipped"),
    reason: fc.constantFrom("noState", "badState", "noGas", "suspended"),
  }),
  fc.record({
    kind: fc.constant<"vm">("vm"),
    success: fc.boolean(),
    msgStateUsed: fc.boolean(),
    accountActivated: fc.boolean(),
    gasFees: anyFee,
    details: fc.record({
      gasUsed: anySmall,
      gasLimit: anySmall,
      gasCredit: orAbsent(anyUint16),
      mode: fc.integer({ min: -128, max: 127 }),
      exitCode: anyInt32,
      exitArg: orAbsent(anyInt32),
      vmSteps: anyUint32,
      vmInitStateHash: anyHash,
      vmFinalStateHash: anyHash,
    }),
  }),
);

export const anyActionPhase: fc.Arbitrary<ActionPhase> = fc.record({
  success: fc.boolean(),
  valid: fc.boolean(),
  noFunds: fc.boolean(),
  statusChange: anyChange,
  totalFwdFees: orAbsent(anyFee),
  totalActionFees: orAbsent(anyFee),
  resultCode: anyInt32,
  resultArg: orAbsent(anyInt32),
  totalActions: anyUint16,
  specialActions: anyUint16,
  skippedActions: anyUint16,
  messagesCreated: anyUint16,
  actionListHash: anyHash,
  totalMessageSize: anyUsed,
});

export const anyBouncePhase: fc.Arbitrary<BouncePhase> = fc.oneof(
  fc.record({ kind: fc.constant<"negativeFunds">("negativeFunds") }),
  fc.record({ kind: fc.constant<"noFunds">("noFunds"), messageSize: anyUsed, requiredFwdFees: anyFee }),
  fc.record({ kind: fc.constant<"ok">("ok"), messageSize: anyUsed, messageFees: anyFee, fwdFees: anyFee }),
);

const anySplit = fc.record({
  shardPrefixLength: anyUint(6),
  accountSplitDepth: anyUint(6),
  thisAddress: anyHash,
  siblingAddress: anyHash,
});
const vm = { compute: anyComputePhase, action: orAbsent(anyActionPhase), aborted: fc.boolean() };
const storage = orAbsent(anyStoragePhase);
const destroyed = fc.boolean();

export const anyDescription: fc.Arbitrary<TransactionDescription> = fc.oneof(
  fc.record({
    kind: fc.constant<"ordinary">("ordinary"),
    creditFirst: fc.boolean(),
    storage,
    credit: orAbsent(anyCreditPhase),
    ...vm,
    bounce: orAbsent(anyBouncePhase),
    destroyed,
  }),
  fc.record({ kind: fc.constant<"storage">("storage"), storage: anyStoragePhase }),
  fc.record({
    kind: fc.constant<"tickTock">("tickTock"),
    isTock: fc.boolean(),
    storage: anyStoragePhase,
    ...vm,
    destroyed,
  }),
  fc.record({ kind: fc.constant<"splitPrepare">("splitPrepare"), split: anySplit, storage, ...vm, destroyed }),
  fc.record({
    kind: fc.constant<"splitInstall">("splitInstall"),
    split: anySplit,
    prepareTransaction: anyCell,
    installed: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant<"mergePrepare">("mergePrepare"),
    split: anySplit,
    storage: anyStoragePhase,
    aborted: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant<"mergeInstall">("mergeInstall"),
    split: anySplit,
    prepareTransaction: anyCell,
    storage,
    credit: orAbsent(anyCreditPhase),
    ...vm,
    destroyed,
  }),
);

export const anyHashUpdate: fc.Arbitrary<HashUpdate> = fc.record({ oldHash: anyHash, newHash: anyHash });
const anyStatus = fc.constantFrom<AccountStatus>("uninit", "frozen", "active", "nonexist");

export const anyTransaction: fc.Arbitrary<Transaction> = fc.record({
  account: anyHash,
  lt: anyUint64,
  prevHash: anyHash,
  prevLt: anyUint64,
  now: anyUint32,
  outCount: anyUint(15),
  origStatus: anyStatus,
  endStatus: anyStatus,
  messages: fc.record({
    in: orAbsent(anyMessageInCell),
    out: anyDictionary(uintKey(15), inCell(Message), anyUint(15), anyMessageInCell),
  }),
  totalFees: anyCurrency,
  stateUpdate: anyHashUpdate,
  description: anyDescription,
});
