import { describe, expect, it } from "vitest";
import { makeTraceTree, type ShownTrace, trace } from "../../../../src/api/v3/shapes/traces.ts";
import type { TransactionInContext } from "../../../../src/api/v3/shapes/transactions.ts";
import { formatJson, type JsonInput } from "../../../../src/lib/json.ts";
import { type Hash, hashToBase64 } from "../../../../src/model/Hash.ts";
import { syntheticTransaction } from "../../../kit/api/syntheticTransaction.ts";

const hashOf = (number: number, kind: "a" | "b") => `${kind}${number.toString(16).padStart(63, "0")}` as Hash;

/** A transaction with the numbers of its received and sent messages. */
const made = (number: number, received: number | undefined, ...sent: readonly number[]): TransactionInContext =>
  syntheticTransaction({
    hash: hashOf(number, "a"),
    lt: BigInt(number),
    received: received === undefined ? undefined : hashOf(received, "b"),
    sent: sent.map((each) => hashOf(each, "b")),
  });

const head: ShownTrace["head"] = {
  traceId: hashOf(1, "a"),
  externalHash: undefined,
  mcSeqnoStart: 1,
  mcSeqnoEnd: 2,
  startLt: 1n,
  startUtime: 1,
  endLt: 2n,
  endUtime: 2,
  state: "complete",
  edges: 1,
  nodes: 1,
  pendingEdges: 0,
  classificationState: "ok",
};

const shownOf = (transactions: readonly TransactionInContext[] | undefined): ShownTrace => ({
  head,
  transactions,
  actions: undefined,
  isCut: false,
});

const b64 = (number: number, kind: "a" | "b") => hashToBase64(hashOf(number, kind));

describe("the tree of a trace", () => {
  it("has the transactions caused by a transaction below it, in order", () => {
    const { trace: tree, warning } = trace.encode(
      shownOf([made(1, undefined, 11, 12), made(2, 12, 13), made(3, 11), made(4, 13)]),
    );
    expect(warning).toBeUndefined();
    expect(tree).toEqual({
      tx_hash: b64(1, "a"),
      children: [
        {
          tx_hash: b64(2, "a"),
          in_msg_hash: b64(12, "b"),
          children: [{ tx_hash: b64(4, "a"), in_msg_hash: b64(13, "b"), children: [] }],
        },
        { tx_hash: b64(3, "a"), in_msg_hash: b64(11, "b"), children: [] },
      ],
    });
  });

  it("omits transactions without a parent, and reports that", () => {
    const shown = trace.encode(shownOf([made(1, 10), made(2, 99), made(3, 98)]));
    expect([shown.warning, shown.is_incomplete, shown.trace]).toEqual([
      "missing node in trace found",
      false,
      { tx_hash: b64(1, "a"), in_msg_hash: b64(10, "b"), children: [] },
    ]);
    expect(shown.transactions_order).toEqual([b64(1, "a"), b64(2, "a"), b64(3, "a")]);
  });

  it("is not shown for a trace with too many transactions", () => {
    const { warning, is_incomplete, trace: tree, transactions, transactions_order } = trace.encode(shownOf(undefined));
    expect([warning, is_incomplete, tree, transactions, transactions_order]).toEqual([
      "trace is too large",
      true,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is omitted if it is too deep for JSON writers; the transactions are not", () => {
    const chain = (length: number) =>
      shownOf(Array.from({ length }, (_, at) => made(at + 1, at + 100_000, at + 100_001)));
    const deepest = trace.encode(chain(480));
    expect([deepest.warning, deepest.is_incomplete]).toEqual([undefined, false]);
    expect(formatJson({ traces: [deepest] } as unknown as JsonInput)).toBe(JSON.stringify({ traces: [deepest] }));
    const deeper = trace.encode(shownOf([...(chain(481).transactions ?? []), made(999_999, 7)]));
    expect([deeper.warning, deeper.is_incomplete, deeper.trace]).toEqual([
      "trace is too large, missing node in trace found",
      true,
      undefined,
    ]);
    // Long lists are written later.
    expect(JSON.parse(JSON.stringify(deeper)).transactions_order).toHaveLength(482);
  });

  it("has one node for a single transaction", () => {
    const { root, isWhole, depth } = makeTraceTree([made(1, 5, 6)]);
    expect([root, isWhole, depth]).toEqual([
      { hash: hashOf(1, "a"), inMessage: hashOf(5, "b"), children: [] },
      true,
      1,
    ]);
  });
});
