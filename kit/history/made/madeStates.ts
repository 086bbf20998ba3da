import type { BatchRows } from "../../../src/history/store/write/BatchRows.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { madeHash } from "./madeChain.ts";

/** The hash of an account state, by account number and number of earlier states. */
export const stateAt = (number: number, states: number): Hash =>
  madeHash(100 + (number % 1000), states * 8191 + number);
export const emptyBytes = new Uint8Array();
/** The fields that every transfer takes from its transaction. */
export function eventOf({ hash, lt, now, mcBlockSeqno, traceId }: BatchRows["transactions"][number]) {
  return { txHash: hash, txLt: lt, txNow: now, txAborted: false, mcSeqno: mcBlockSeqno, traceId, queryId: lt };
}
