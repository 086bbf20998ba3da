import { isDeepStrictEqual } from "node:util";
import { asList, asRecord } from "../../../../kit/suite/record.ts";
import { type TransactionInContext, transactionInContext } from "../../../../src/api/v3/shapes/transactions.ts";
import { readRoot } from "../../../../src/cell/boc.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { messageRow, transactionRow } from "../../../../src/history/ingest/decode/decodeRows.ts";
import type {
  AccountStateRow,
  FullMessage,
  FullTransaction,
} from "../../../../src/history/queries/fill/FullTransaction.ts";
import { joinTransactions, makeMessage } from "../../../../src/history/queries/fill/fillTransactions.ts";
import { fromBase64 } from "../../../../src/lib/bytes.ts";
import { parseAddress } from "../../../../src/model/Address.ts";
import { parseHash, zeroHash } from "../../../../src/model/Hash.ts";
import { type InCell, loadInCell, type Message } from "../../../../src/model/Message.ts";
import { type TraceMessage, traceTransaction } from "../../../../src/model/Trace.ts";
import { Transaction } from "../../../../src/model/Transaction.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Encodes a recorded transaction again from its cell, through the same rows and shapes as the index. Values that are
 * not in the cell (block, trace, account states, finality) are taken from the answer.
 */
export function remakeTransaction(cell: Cell, recorded: Json): Json {
  return JSON.parse(JSON.stringify(transactionInContext.encode(remakeInContext(cell, recorded)))) as Json;
}

/** The same before encoding. */
export function remakeInContext(cell: Cell, recorded: Json): TransactionInContext {
  const transaction = loadInCell(Transaction, cell);
  const { address } = parseAddress(String(recorded.account));
  const block = asRecord(recorded.block_ref);
  const shard = BigInt(`0x${block.shard === "" ? "0" : String(block.shard)}`);
  const place = { workchain: Number(address.slice(0, address.indexOf(":"))), shard, seqno: Number(block.seqno) };
  const seen = traceTransaction(
    transaction,
    { workchain: place.workchain, mcSeqno: Number(recorded.mc_block_seqno), emulated: recorded.emulated === true },
    transaction.messages.out.values(),
  );
  const id = { ...place, workchain: Number(block.workchain), rootHash: zeroHash, fileHash: zeroHash };
  const traceId = typeof recorded.trace_id === "string" ? parseHash(recorded.trace_id) : undefined;
  const row = { ...transactionRow(transaction, seen, { id, root: cell }), traceId: traceId ?? zeroHash };
  const states = ["account_state_before", "account_state_after"].flatMap((name) =>
    findState(asRecord(recorded[name]), row.account),
  );
  const [full] = joinTransactions([row], messagesOf(transaction, seen, recorded), states);
  const external = recorded.trace_external_hash;
  const context = {
    emulated: recorded.emulated === true,
    finality: "finalized" as const,
    traceExternalHash: typeof external === "string" ? parseHash(external) : undefined,
    traceId,
  };
  return { context, ...(full as FullTransaction) };
}

function messagesOf(
  { messages, cell }: InCell<Transaction>,
  returnType: ReturnType<typeof traceTransaction>,
  recorded: Json,
): readonly FullMessage[] {
  const { in: received } = messages;
  const shown = asRecord(recorded.in_msg ?? {});
  const first =
    received === undefined || returnType.inMessage === undefined
      ? []
      : [remakeMessage(received, returnType.inMessage, shown)];
  const sent = messages.out.values().map((message, outIndex) => {
    const own = asList(recorded.out_msgs).map(asRecord)[outIndex] ?? {};
    const made = remakeMessage(message, returnType.outMessages[outIndex] as TraceMessage, own);
    return { ...made, row: { ...made.row, outTxHash: cell.hash(), outIndex } };
  });
  return [...first, ...sent];
}

/** The network version decides whether the `ihr_fee` field holds flags; the recorded answer reveals the version. */
function remakeMessage(message: InCell<Message>, traceMessage: TraceMessage, recorded: Json): FullMessage {
  const version = typeof recorded.extra_flags === "string" ? 12 : 11;
  return makeMessage(messageRow(message, traceMessage, version));
}

function findState(state: Json, account: AccountStateRow["account"]): AccountStateRow[] {
  if (state.balance === null || state.balance === undefined) return [];
  const hashOf = (name: string) => (typeof state[name] === "string" ? parseHash(String(state[name])) : undefined);
  return [
    {
      account,
      hash: parseHash(String(state.hash)),
      balance: BigInt(String(state.balance)),
      balanceExtra: (state.extra_currencies ?? undefined) as AccountStateRow["balanceExtra"],
      status: String(state.account_status) as AccountStateRow["status"],
      frozenHash: hashOf("frozen_hash"),
      dataHash: hashOf("data_hash"),
      codeHash: hashOf("code_hash"),
    },
  ];
}

/** The transactions of a recorded answer whose cells could be rebuilt. */
export function listRecorded(
  answer: unknown,
  bags: unknown,
): readonly { readonly recorded: Json; readonly cell: Cell }[] {
  const cells = asRecord(asRecord(bags).transactions);
  const body = asRecord(answer);
  const traces = body.traces === undefined ? [body] : asList(body.traces).map(asRecord);
  return traces.flatMap((trace) =>
    Object.entries(asRecord(trace.transactions ?? {})).flatMap(([hash, recorded]) => {
      const { boc } = asRecord(cells[hash] ?? {});
      return typeof boc === "string" ? [{ recorded: asRecord(recorded), cell: readRoot(fromBase64(boc)) }] : [];
    }),
  );
}

/** Every place where two values differ: the path without indexes, and both values. */
export function listDifferences(
  ours: unknown,
  theirs: unknown,
  path = "",
): readonly (readonly [string, unknown, unknown])[] {
  if (Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length)
    return ours.flatMap((each, at) => listDifferences(each, theirs[at], `${path}[]`));
  if (!isObject(ours) || !isObject(theirs) || path.endsWith(".decoded"))
    return isDeepStrictEqual(ours, theirs) ? [] : [[path, ours, theirs]];
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  return names.flatMap((name) => listDifferences(ours[name], theirs[name], path === "" ? name : `${path}.${name}`));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
