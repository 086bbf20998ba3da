import { addressToHex } from "../../../../src/history/store/schema/columns.ts";
import { b64, knownWallet, type V3Stage } from "../../../kit/api/v3/v3Stage.ts";
import type { MessageRow, TransactionRow } from "../../../kit/history/indexedChain.ts";
import { lists, sorted } from "./V3Case.ts";

/* Expected lists of transactions and messages, computed in the simplest way. */

export const elector = `-1:${"3".repeat(64)}`;
export const config = `-1:${"5".repeat(64)}`;

export const hashesOf = (rows: readonly { readonly hash: TransactionRow["hash"] }[]) =>
  rows.map(({ hash }) => b64(hash));
export const accountKey = ({ account }: TransactionRow) => addressToHex(account);

export function transactionsBy(rows: readonly TransactionRow[], sort: "asc" | "desc"): readonly TransactionRow[] {
  return sorted(rows, [({ lt }) => lt, sort], [accountKey, "asc"]);
}

export function transactionsByTime(rows: readonly TransactionRow[], sort: "asc" | "desc"): readonly TransactionRow[] {
  return sorted(rows, [({ now }) => now, sort], [({ lt }) => lt, sort], [accountKey, "asc"]);
}

/** A transaction of the wallet with external, incoming and outgoing messages. */
export function sending({ rows }: V3Stage): TransactionRow {
  const hash = rows.messages.find(({ source }) => source === knownWallet)?.outTxHash;
  const transaction = rows.transactions.find((each) => each.hash === hash);
  if (transaction === undefined) throw new Error("the recorded chain has a wallet that sends");
  return transaction;
}

export function messagesBy(rows: readonly MessageRow[], sort: "asc" | "desc"): readonly MessageRow[] {
  const last = 2n ** 64n;
  return sorted(rows, [({ createdLt }) => createdLt ?? last, sort], [({ hash }) => hash, sort]);
}

export function external({ rows }: V3Stage): MessageRow {
  const message = rows.messages.find(({ source, hashNorm }) => source === undefined && hashNorm !== undefined);
  if (message === undefined) throw new Error("the recorded chain has an external message");
  return message;
}

export const listTransactions = (
  note: string,
  args: Parameters<typeof lists>[1],
  items: (stage: V3Stage) => readonly TransactionRow[],
) => lists(note, args, "transactions", "hash", (stage) => hashesOf(items(stage)));
export const listMessages = (
  note: string,
  args: Parameters<typeof lists>[1],
  items: (stage: V3Stage) => readonly MessageRow[],
) => lists(note, args, "messages", "hash", (stage) => hashesOf(items(stage)));

export function children({ rows }: V3Stage, parent: TransactionRow): readonly TransactionRow[] {
  const sent = rows.messages.filter(({ outTxHash }) => outTxHash === parent.hash).map(({ hash }) => hash);
  return transactionsBy(
    rows.transactions.filter(({ inMsgHash }) => inMsgHash !== undefined && sent.includes(inMsgHash)),
    "asc",
  );
}

export function receivers({ rows }: V3Stage, { hash }: MessageRow): readonly TransactionRow[] {
  return rows.transactions.filter(({ inMsgHash }) => inMsgHash === hash);
}

/** The transactions that received (`in`) or sent (`out`) a message like this; either when no side is given. */
export function endsOf(
  { rows }: V3Stage,
  isMeant: (message: MessageRow) => boolean,
  side?: "in" | "out",
): readonly TransactionRow[] {
  const meant = rows.messages.filter(isMeant);
  const [received, sent] = [meant.map(({ hash }) => hash), meant.map(({ outTxHash }) => outTxHash)];
  return rows.transactions.filter(
    ({ hash, inMsgHash }) =>
      (side !== "out" && inMsgHash !== undefined && received.includes(inMsgHash)) ||
      (side !== "in" && sent.includes(hash)),
  );
}

export function internal({ rows }: V3Stage): MessageRow {
  const message = rows.messages.find(
    (each) =>
      each.source === knownWallet && each.destination !== undefined && receivers({ rows } as V3Stage, each).length > 0,
  );
  if (message === undefined) throw new Error("the recorded chain has a message of the wallet");
  return message;
}
