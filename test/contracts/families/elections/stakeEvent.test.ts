import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { findStakeEvent } from "../../../../src/contracts/families/elections/stakeEvent.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { type Hash, zeroHash } from "../../../../src/model/Hash.ts";
import type { TraceMessage, TraceTransaction } from "../../../../src/model/Trace.ts";

const digits = (pair: string): Hash => pair.repeat(32) as Hash;
const [elector, holder, stranger] = ["33", "61", "62"].map((pair) => makeAddress(-1, digits(pair))) as [
  ReturnType<typeof makeAddress>,
  ReturnType<typeof makeAddress>,
  ReturnType<typeof makeAddress>,
];
const coin = 1_000_000_000n;

function message(body: Cell, more: Partial<TraceMessage> = {}): TraceMessage {
  return {
    ...{ hash: zeroHash, source: holder, destination: elector, value: 5n * coin, extra: new Map(), createdLt: 1n },
    ...{ createdAt: 1, bounce: true, bounced: false, body, init: undefined, ...more },
  };
}

function transaction(inMessage: TraceMessage | undefined, more: Partial<TraceTransaction> = {}): TraceTransaction {
  return {
    ...{ hash: zeroHash, account: elector, lt: 5n, now: 6, mcSeqno: 7, isTickTock: false, aborted: false },
    ...{ emulated: false, origStatus: "active", endStatus: "active", exitCode: 0, computeSkipped: undefined },
    ...{ inMessage, outMessages: [], ...more },
  };
}

const query = (op: number, queryId: bigint) => beginCell().storeUint(op, 32).storeBigUint(queryId, 64);
const stakeBody = (queryId: bigint, bits = 256) =>
  query(0x4e73744b, queryId)
    .storeHex(digits("a1"))
    .storeUint(9, 32)
    .storeUint(65_536, 32)
    .storeHex(digits("ad").slice(0, bits / 4))
    .cell();
const answer = (op: number, queryId: bigint, reason?: number) => {
  const builder = query(op, queryId);
  if (reason !== undefined) builder.storeInt(reason, 32);
  return message(builder.cell(), { source: elector, destination: holder, value: 4n });
};
const stake = { validatorKey: digits("a1"), electionId: 9, adnlAddress: digits("ad") };
const find = (given: TraceTransaction) => findStakeEvent(given, elector);

describe("an event of a stake", () => {
  it("is the first answer with the query of the stake", () => {
    const outMessages = [answer(0xf374484c, 8n), answer(0xee6f454c, 7n, -1), answer(0xf374484c, 7n)];
    expect(find(transaction(message(stakeBody(7n)), { outMessages }))).toEqual({
      ...{ type: "stake_rejected", holder, queryId: 7n, amount: 4n, stake, reason: -1 },
    });
    const silent = [message(emptyCell), answer(0xee6f454c, 7n)];
    expect(find(transaction(message(stakeBody(7n)), { outMessages: silent }))).toEqual({
      ...{ type: "stake_rejected", holder, queryId: 7n, amount: 4n, stake, reason: undefined },
    });
  });

  it("never has less than nothing", () => {
    const outMessages = [answer(0xf374484c, 7n)];
    const small = message(stakeBody(7n), { value: coin - 1n });
    expect(find(transaction(small, { outMessages }))?.amount).toBe(0n);
    expect(find(transaction(message(stakeBody(7n)), { outMessages }))?.amount).toBe(4n * coin);
  });

  it.each([
    ["a stake without an answer", transaction(message(stakeBody(7n)))],
    ["a stake whose body is too short", transaction(message(stakeBody(0n, 248)))],
    ["a transaction that was aborted", transaction(message(stakeBody(0n)), { aborted: true })],
    ["a transaction of another account", transaction(message(stakeBody(0n)), { account: stranger })],
    ["an external message", transaction(message(stakeBody(0n), { source: undefined, value: undefined }))],
    ["a tick of the chain", transaction(undefined, { isTickTock: true })],
    ["a body of less than a query", transaction(message(beginCell().storeUint(0x47657424, 32).cell()))],
    [
      "a bounced message that begins like a refusal",
      transaction(message(query(0xfffffffe, 1n).cell(), { source: elector, bounced: true }), { account: holder }),
    ],
    [
      "an answer that another account sends",
      transaction(message(query(0xf96f7324, 1n).cell(), { source: stranger }), { account: holder }),
    ],
    ["a message of the elector to itself", transaction(message(query(0xf96f7324, 1n).cell(), { source: elector }))],
  ])("is not %s", (_what, given) => {
    expect(find(given)).toBeUndefined();
  });
});
