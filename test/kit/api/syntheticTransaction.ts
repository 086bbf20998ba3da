import type { TransactionInContext } from "../../../src/api/v3/shapes/transactions.ts";
import type { FullMessage } from "../../../src/history/queries/fill/FullTransaction.ts";
import { noStateAfter } from "../../../src/history/store/write/statesAfter.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { type Hash, zeroHash } from "../../../src/model/Hash.ts";

export interface TransactionLinks {
  readonly hash: Hash;
  readonly lt: bigint;
  readonly received: Hash | undefined;
  readonly sent: readonly Hash[];
}

const account = makeAddress(0, "1".repeat(64));

/** A transaction for tests that look only at its place among others. */
export function syntheticTransaction({ hash, lt, received, sent }: TransactionLinks): TransactionInContext {
  return {
    row: {
      account,
      lt,
      hash,
      blockWorkchain: 0,
      blockShard: 1n << 63n,
      blockSeqno: 1,
      mcBlockSeqno: 1,
      traceId: zeroHash,
      prevTransHash: zeroHash,
      prevTransLt: 0n,
      now: 1,
      origStatus: "active",
      endStatus: "active",
      totalFees: 0n,
      totalFeesExtra: undefined,
      stateHashBefore: zeroHash,
      stateHashAfter: zeroHash,
      aborted: false,
      description: new Uint8Array(),
      inMsgHash: received,
      inOpcode: undefined,
      ...noStateAfter,
    },
    description: {
      kind: "storage",
      storage: { feesCollected: 0n, feesDue: undefined, statusChange: "unchanged" },
    },
    inMessage: undefined,
    outMessages: sent.map((each, outIndex) => messageOf(each, hash, outIndex)),
    stateBefore: undefined,
    stateAfter: undefined,
    traceExternalHash: undefined,
    context: { emulated: false, finality: "finalized", traceExternalHash: undefined, traceId: zeroHash },
  };
}

function messageOf(hash: Hash, outTxHash: Hash, outIndex: number): FullMessage {
  return {
    row: {
      lt: 1n,
      hash,
      hashNorm: undefined,
      source: account,
      destination: account,
      value: 0n,
      valueExtra: undefined,
      fwdFee: 0n,
      ihrFee: 0n,
      extraFlags: undefined,
      createdLt: 1n,
      createdAt: 1,
      opcode: undefined,
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      importFee: undefined,
      bodyHash: zeroHash,
      initHash: undefined,
      outTxHash,
      outIndex,
      body: new Uint8Array(),
      init: undefined,
    },
    opcodeName: undefined,
    body: undefined,
    init: undefined,
  };
}
