import type { Chain } from "../../../chain/Chain.ts";
import type { TraceFilter } from "../../../history/queries/traces.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { mapInPieces } from "../../../lib/sharing/mapInPieces.ts";
import { makeAddress } from "../../../model/Address.ts";
import { masterchain } from "../../../model/block/BlockId.ts";
import type { Hash } from "../../../model/Hash.ts";
import { hashToBase64, zeroHash } from "../../../model/Hash.ts";
import { ApiError } from "../../declare/errors.ts";
import type { ProvedRows, ShownAnswer } from "../../declare/proof.ts";
import { type Json, type ProvedTransaction, proveTransactions, rowsIn, unprovable } from "./transactionProof.ts";

/** What a list of traces was asked for. */
export type AskedTraces = Pick<TraceFilter, "account" | "traceIds" | "transactions" | "messages" | "mcSeqno">;

/**
 * Proves that all transactions of traces are on the chain, that each was caused by another one of its trace, and that
 * nothing they caused is left out. `name` is that of the list in the answer.
 */
export async function proveTraces(
  chain: Chain,
  asked: AskedTraces,
  name: "traces" | "events",
  { result }: ShownAnswer,
): Promise<ProvedRows> {
  if (asked.mcSeqno !== undefined) {
    throw unprovable(
      "no transaction says which masterchain block commits it; name a trace, a transaction or an account",
    );
  }
  const shown = rowsIn(result, name).map(rowsOfTrace);
  const all = await proveTransactions(chain, shown.flat());
  let from = 0;
  const traces = shown.map((rows) => {
    from += rows.length;
    return all.slice(from - rows.length, from);
  });
  const proved = await mapInPieces(traces, (transactions) => proveTrace(transactions, asked));
  return { result: { [name]: proved }, isComplete: true };
}

function rowsOfTrace(trace: JsonValue): readonly JsonValue[] {
  const { transactions } = Object(trace) as Json;
  if (transactions === undefined || transactions === null) {
    throw unprovable(
      "a trace is too large to be shown with its transactions; transactions with hash proves each of them",
    );
  }
  return Object.values(transactions as Json);
}

function proveTrace(transactions: readonly ProvedTransaction[], asked: AskedTraces): Json {
  const root = checkWhole(transactions);
  if (!isAsked(transactions, root, asked))
    throw new ApiError("api/incomplete", `trace ${root} is not what was asked for`);
  const byHash = transactions.map(({ full, json }) => [hashToBase64(full.row.hash), json] as const);
  return { trace_id: hashToBase64(root), transactions: Object.fromEntries(byHash) };
}

/** The first transaction: every other one received what one of them sent, and all that they sent was received. */
function checkWhole(transactions: readonly ProvedTransaction[]): Hash {
  const sent = new Set(transactions.flatMap(({ full }) => full.outMessages.flatMap(hashIfInternal)));
  const received = new Set(transactions.flatMap(({ full }) => (full.inMessage ? hashIfInternal(full.inMessage) : [])));
  const firsts = transactions.filter(({ full }) => full.inMessage === undefined || !sent.has(full.inMessage.row.hash));
  const [first, other] = firsts;
  const isBegun =
    first !== undefined && (first.full.inMessage ? hashIfInternal(first.full.inMessage) : []).length === 0;
  if (first === undefined || other !== undefined || !isBegun)
    throw new ApiError("api/incomplete", "a trace lacks the transaction that began it");
  const lost = [...sent].find((hash) => !received.has(hash));
  if (lost !== undefined)
    throw new ApiError("api/incomplete", `trace ${first.full.row.hash} lacks the transaction that received ${lost}`);
  return first.full.row.hash;
}

type Message = NonNullable<ProvedTransaction["full"]["inMessage"]>;

/** The sender of what the chain itself makes: fees that are collected, and coins that are minted. */
const chainItself = makeAddress(masterchain, zeroHash);

/** Messages between accounts, which cause transactions. */
function hashIfInternal({ row: { source, destination, hash } }: Message): readonly Hash[] {
  return source === undefined || source === chainItself || destination === undefined ? [] : [hash];
}

function isAsked(transactions: readonly ProvedTransaction[], root: Hash, asked: AskedTraces): boolean {
  const { account, traceIds, transactions: hashes, messages } = asked;
  const rows = transactions.map(({ full }) => full);
  const own = rows.flatMap(({ inMessage, outMessages }) => [...(inMessage ? [inMessage] : []), ...outMessages]);
  return (
    (account === undefined || rows.some(({ row }) => row.account === account)) &&
    (traceIds.length === 0 || traceIds.includes(root)) &&
    (hashes.length === 0 || rows.some(({ row }) => hashes.includes(row.hash))) &&
    (messages.length === 0 ||
      own.some(({ row: { hash, hashNorm = hash } }) => messages.includes(hash) || messages.includes(hashNorm)))
  );
}
