import { createHash } from "node:crypto";
import type { Cell } from "../../../src/cell/Cell.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import type { Trace, TraceMessage, TraceTransaction } from "../../../src/model/Trace.ts";
import { query } from "../model/testTrace.ts";

/** The first transaction that messages with these opcodes lead to, one after another. */
export function findByOpcodes(trace: Trace, opcodes: readonly number[]): TraceTransaction {
  const [found] = listByOpcodes(trace, opcodes);
  if (found === undefined) throw new Error(`no transaction after ${opcodes.map((each) => each.toString(16))}`);
  return found;
}

/** All transactions that messages with these opcodes lead to, one after another. */
export function listByOpcodes(trace: Trace, opcodes: readonly number[]): TraceTransaction[] {
  return trace.transactions.filter((transaction) => {
    let at: TraceTransaction | undefined = transaction;
    return opcodes.toReversed().every((opcode) => {
      const isSame: boolean = at !== undefined && opcodeOf(at) === opcode;
      at = at && parentOf(trace, at);
      return isSame;
    });
  });
}

function opcodeOf({ inMessage }: TraceTransaction): number | undefined {
  return inMessage === undefined || inMessage.body.bitLength < 32 ? undefined : sliceOf(inMessage.body).loadUint(32);
}

export function parentOf(trace: Trace, { inMessage }: TraceTransaction): TraceTransaction | undefined {
  return trace.transactions.find(({ outMessages }) => outMessages.some(({ hash }) => hash === inMessage?.hash));
}

/** The trace with another body in the message that a transaction received. */
export function replaceBody(trace: Trace, transaction: TraceTransaction, body: Cell): Trace {
  const replace = (message: TraceMessage): TraceMessage =>
    message.hash === transaction.inMessage?.hash ? { ...message, body } : message;
  return {
    ...trace,
    transactions: trace.transactions.map((each) => ({
      ...each,
      inMessage: each.inMessage && replace(each.inMessage),
      outMessages: each.outMessages.map(replace),
    })),
  };
}

/**
 * The trace with one more message with an opcode from the account of a transaction back to where its message is from.
 */
export function addReply(trace: Trace, sender: TraceTransaction, opcode: number): Trace {
  const received = sender.inMessage as TraceMessage;
  const lt = lastLt(sender) + 1n;
  const message: TraceMessage = {
    ...received,
    hash: rehash(received.hash, "reply"),
    source: sender.account,
    destination: received.source,
    createdLt: lt,
    body: query(opcode),
    init: undefined,
  };
  const transaction: TraceTransaction = {
    ...sender,
    hash: rehash(sender.hash, "reply"),
    account: message.destination as TraceTransaction["account"],
    lt: lt + 1_000_000n,
    origStatus: "active",
    inMessage: message,
    outMessages: [],
  };
  return withBranch(trace, sender, message, [transaction]);
}

/** The trace with a copy of a transaction and all that it causes, sent by another transaction. */
export function copyBranch(trace: Trace, from: TraceTransaction, sender: TraceTransaction): Trace {
  const branch = [from];
  for (let at = 0; at < branch.length; at++)
    branch.push(...trace.transactions.filter((each) => parentOf(trace, each) === branch[at]));
  const received = from.inMessage as TraceMessage;
  const later = lastLt(sender) + 1n - (received.createdLt ?? 0n);
  const copy = (message: TraceMessage): TraceMessage => ({
    ...message,
    hash: rehash(message.hash, "copy"),
    createdLt: (message.createdLt ?? 0n) + later,
  });
  const copies = branch.map((each) => ({
    ...each,
    hash: rehash(each.hash, "copy"),
    lt: each.lt + later,
    inMessage: copy(each.inMessage as TraceMessage),
    outMessages: each.outMessages.map(copy),
  }));
  return withBranch(trace, sender, copy(received), copies);
}

function withBranch(
  trace: Trace,
  sender: TraceTransaction,
  message: TraceMessage,
  branch: readonly TraceTransaction[],
): Trace {
  const changed = { ...sender, outMessages: [...sender.outMessages, message] };
  return {
    ...trace,
    transactions: [...trace.transactions.map((each) => (each === sender ? changed : each)), ...branch],
  };
}

function lastLt({ lt, outMessages }: TraceTransaction): bigint {
  return outMessages.reduce((last, { createdLt = 0n }) => (createdLt > last ? createdLt : last), lt);
}

function rehash(hash: Hash, reason: string): Hash {
  return createHash("sha256").update(`${reason} ${hash}`).digest("hex") as Hash;
}
