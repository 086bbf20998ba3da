import type { Chain } from "../../../chain/Chain.ts";
import type { TransactionFilter } from "../../../history/queries/transactions.ts";
import type { MessageSideFilter } from "../../../history/queries/transactionsByMessage.ts";
import { mapInPieces } from "../../../lib/sharing/mapInPieces.ts";
import { ApiError } from "../../declare/errors.ts";
import type { ProvedRows, ShownAnswer } from "../../declare/proof.ts";
import { hasMessage, isEmpty, matchesFilter } from "./matchesFilter.ts";
import { type ProvedTransaction, proveTransactions, rowsIn, unprovable } from "./transactionProof.ts";

/** What a list of transactions was asked for. */
export interface AskedTransactions {
  readonly filter: TransactionFilter;
  readonly message: MessageSideFilter;
}

/**
 * Proves that every transaction of a list is on the chain and is what was asked for; that of one account is complete.
 */
export async function proveTransactionList(
  chain: Chain,
  { filter, message }: AskedTransactions,
  { result }: ShownAnswer,
): Promise<ProvedRows> {
  if (filter.mcSeqno !== undefined)
    throw unprovable("no transaction says which masterchain block commits it; name its workchain, shard and seqno");
  const proved = await proveTransactions(chain, rowsIn(result, "transactions"));
  const other = proved.find(({ full }) => !matchesFilter(full, filter) || !hasMessage(full, message));
  if (other !== undefined)
    throw new ApiError("api/incomplete", `transaction ${other.full.row.hash} is not what was asked for`);
  const isComplete = isOfOneAccount(filter) && isEmpty(message);
  if (isComplete) checkNeighbours(proved);
  return { result: { transactions: await mapInPieces(proved, ({ json }) => json) }, isComplete };
}

/** Whether only an account was named. */
function isOfOneAccount({ accounts, excludedAccounts, hashes, ...others }: TransactionFilter): boolean {
  const isFiltered =
    excludedAccounts.length + hashes.length > 0 || Object.values(others).some((one) => one !== undefined);
  return new Set(accounts).size === 1 && !isFiltered;
}

/** Each transaction of an account names the one before it. */
function checkNeighbours(proved: readonly ProvedTransaction[]): void {
  const rows = proved.map(({ full: { row } }) => row);
  const newestFirst = (rows[0]?.lt ?? 0n) > (rows.at(-1)?.lt ?? 0n) ? rows : rows.toReversed();
  newestFirst.forEach((row, index) => {
    const before = newestFirst[index + 1];
    if (before !== undefined && (row.prevTransLt !== before.lt || row.prevTransHash !== before.hash))
      throw new ApiError("api/incomplete", `the list leaves out the transaction before ${row.lt} of ${row.account}`);
  });
}
