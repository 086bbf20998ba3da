import type { Chain } from "../../../chain/Chain.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { findHash, type Hash, hashToBase64 } from "../../../model/Hash.ts";
import { ApiError } from "../../declare/errors.ts";
import type { ProvedRows, ShownAnswer } from "../../declare/proof.ts";
import { hasMessage } from "./matchesFilter.ts";
import { getNamed, proveNamed } from "./namedTransactions.ts";
import { type Json, type ProvedTransaction, rowsIn, unprovable } from "./transactionProof.ts";

/** What a list of actions was asked for, as far as their transactions tell. */
export interface AskedActions {
  readonly transactions: readonly Hash[];
  readonly messages: readonly Hash[];
}

/** The transactions that the actions of an answer name. */
export function transactionsOfActions(result: JsonValue): readonly Hash[] {
  return rowsIn(result, "actions").flatMap(hashesOf);
}

/** Proves that the transactions of actions are on the chain; what they amount to, the index derives. */
export async function proveActions(chain: Chain, asked: AskedActions, shown: ShownAnswer): Promise<ProvedRows> {
  const rows = rowsIn(shown.result, "actions");
  const proved = await proveNamed(chain, transactionsOfActions(shown.result), shown);
  const actions = rows.map((row): Json => {
    const own = hashesOf(row).map((hash) => getNamed(proved, hash));
    if (!isAsked(own, asked)) throw new ApiError("api/incomplete", "an action is not what was asked for");
    const { transactions_full: whole } = Object(row) as Json;
    return {
      transactions: own.map(({ full }) => hashToBase64(full.row.hash)),
      ...(whole !== undefined && { transactions_full: own.map(({ json }) => json) }),
    };
  });
  return { result: { actions }, isComplete: false };
}

function hashesOf(row: JsonValue): readonly Hash[] {
  const { transactions } = Object(row) as Json;
  const hashes = Array.isArray(transactions) ? transactions.map((text) => findHash(String(text))) : [];
  if (hashes.length === 0) throw unprovable("an action names no transactions");
  return hashes.map((hash) => {
    if (hash === undefined) throw unprovable("an action names a transaction by something else than a hash");
    return hash;
  });
}

function isAsked(own: readonly ProvedTransaction[], { transactions, messages }: AskedActions): boolean {
  return (
    (transactions.length === 0 || own.some(({ full }) => transactions.includes(full.row.hash))) &&
    (messages.length === 0 || own.some(({ full }) => hasMessage(full, { hashes: messages })))
  );
}
