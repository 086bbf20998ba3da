import type { NominatorEventType, ValidatorEventType } from "../../../contracts/families/nominators/poolEvents.ts";
import { address, amount, bool, hash, int4, int8, int53, nullable, text } from "./columns.ts";
import { droppedBy, indexTable, partOf } from "./indexTable.ts";
import { distributedBy } from "./placement.ts";
import type { Row } from "./Table.ts";

const ofPools = {
  source: partOf("transaction", "txHash"),
  retention: droppedBy("mcSeqno"),
  placement: distributedBy("poolAddress"),
};

/** What transactions of pools changed for nominators. */
export const nominatorPoolEvents = indexTable({
  name: "nominator_pool_events",
  key: ["poolAddress", "txLt", "eventIndex"],
  ...ofPools,
  columns: {
    poolAddress: address,
    txLt: int8,
    /** Numbers the events of a transaction. */
    eventIndex: int4,
    txHash: hash,
    utime: int53,
    mcSeqno: int4,
    nominatorAddress: address,
    type: text<NominatorEventType>(),
    amount: amount,
    balanceDelta: amount,
    pendingBalanceDelta: amount,
    balanceBefore: amount,
    balanceAfter: amount,
    pendingBalanceBefore: amount,
    pendingBalanceAfter: amount,
    withdrawRequestBefore: bool,
    withdrawRequestAfter: bool,
  },
});

/** What transactions of pools changed for their validators: at most one event each. */
export const poolValidatorEvents = indexTable({
  name: "pool_validator_events",
  key: ["poolAddress", "txLt"],
  ...ofPools,
  columns: {
    poolAddress: address,
    txLt: int8,
    txHash: hash,
    utime: int53,
    mcSeqno: int4,
    validatorAddress: address,
    type: text<ValidatorEventType>(),
    balanceBefore: amount,
    balanceAfter: amount,
    queryId: nullable(amount),
    cycleStart: nullable(int53),
    validatorRewardShare: int4,
  },
});

/** The events of pools in one block. */
export interface PoolEventRows {
  readonly nominatorPoolEvents: readonly Row<typeof nominatorPoolEvents>[];
  readonly poolValidatorEvents: readonly Row<typeof poolValidatorEvents>[];
}
