import type { FullMessage, FullTransaction } from "../../../history/queries/fill/FullTransaction.ts";
import type { MessageFilter } from "../../../history/queries/messages.ts";
import type { TransactionFilter } from "../../../history/queries/transactions.ts";
import type { MessageSideFilter } from "../../../history/queries/transactionsByMessage.ts";

/** Whether a transaction is what a list was asked for; which masterchain block commits it is not looked at. */
export function matchesFilter({ row }: FullTransaction, filter: TransactionFilter): boolean {
  const { accounts, excludedAccounts, hashes, startUtime, endUtime, startLt, endLt } = filter;
  return (
    isUnsetOr(filter.workchain, row.blockWorkchain) &&
    (filter.shard === undefined || BigInt.asUintN(64, filter.shard) === BigInt.asUintN(64, row.blockShard)) &&
    isUnsetOr(filter.seqno, row.blockSeqno) &&
    isUnsetOr(filter.lt, row.lt) &&
    (accounts.length === 0 || accounts.includes(row.account)) &&
    !excludedAccounts.includes(row.account) &&
    (hashes.length === 0 || hashes.includes(row.hash)) &&
    isWithin(row.now, startUtime, endUtime) &&
    isWithin(row.lt, startLt, endLt)
  );
}

/** Whether one of its messages is what a list was asked for. */
export function hasMessage({ inMessage, outMessages }: FullTransaction, filter: MessageSideFilter): boolean {
  if (isEmpty(filter)) return true;
  const received = filter.direction === "out" || inMessage === undefined ? [] : [inMessage];
  const sent = filter.direction === "in" ? [] : outMessages;
  return [...received, ...sent].some(({ row }) => matchesMessage(row, filter));
}

/** Whether a list was asked for without conditions on messages. */
export function isEmpty({ hashes, bodyHash, opcode, source, destination }: MessageSideFilter): boolean {
  return hashes.length === 0 && [bodyHash, opcode, source, destination].every((value) => value === undefined);
}

/** Whether a message is what a list was asked for; `ends` are the transactions that the answer names. */
export function isAskedMessage(
  row: FullMessage["row"],
  { source, destination, ...filter }: MessageFilter,
  ends: { readonly sentBy: unknown; readonly receivedBy: unknown },
): boolean {
  const { direction, startUtime, endUtime, startLt, endLt, excludeExternals, onlyExternals } = filter;
  const sides = { source: source ?? undefined, destination: destination ?? undefined };
  return (
    matchesMessage(row, { ...filter, ...sides }) &&
    (source !== null || row.source === undefined) &&
    (destination !== null || row.destination === undefined) &&
    (excludeExternals !== true || row.source !== undefined) &&
    (onlyExternals !== true || row.source === undefined) &&
    (direction !== "in" || ends.receivedBy !== undefined) &&
    (direction !== "out" || ends.sentBy !== undefined) &&
    isWithin(row.createdAt, startUtime, endUtime) &&
    isWithin(row.createdLt, startLt, endLt)
  );
}

function matchesMessage(row: FullMessage["row"], filter: MessageSideFilter): boolean {
  const { hashes } = filter;
  return (
    (hashes.length === 0 ||
      hashes.includes(row.hash) ||
      (row.hashNorm !== undefined && hashes.includes(row.hashNorm))) &&
    isUnsetOr(filter.bodyHash, row.bodyHash) &&
    isUnsetOr(filter.opcode, row.opcode) &&
    isUnsetOr(filter.source, row.source) &&
    isUnsetOr(filter.destination, row.destination)
  );
}

export function isUnsetOr<T>(wanted: T | undefined, value: T | undefined): boolean {
  return wanted === undefined || wanted === value;
}

/** Without a value only where no bound is set. */
export function isWithin<T extends number | bigint>(
  value: T | undefined,
  from: T | undefined,
  to: T | undefined,
): boolean {
  if (value === undefined) return from === undefined && to === undefined;
  return (from === undefined || value >= from) && (to === undefined || value <= to);
}
