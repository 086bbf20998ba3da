import { readRoot } from "../../../src/cell/boc.ts";
import { accountIdToTl, blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { expectBlock, openBlock, proofError, proofRoot, proven } from "../../../src/lite/queries/proven.ts";
import { accountBlocksOf, fetchBlockTransactionsExt } from "../../../src/lite/queries/transactions.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../../../src/lite/server/LiteServer.ts";
import { getOneTransaction } from "../../../src/lite/tl/liteQueries.ts";
import type { transactionInfo } from "../../../src/lite/tl/liteRecords.ts";
import type { TlValue } from "../../../src/lite/tl/types.ts";
import { type Address, accountOf } from "../../../src/model/Address.ts";
import { type BlockIdExt, shardHolds } from "../../../src/model/block/BlockId.ts";
import { type InCell, loadInCell } from "../../../src/model/Message.ts";
import { Transaction } from "../../../src/model/Transaction.ts";

/** Finds a transaction by block, account and logical time. The next transactions of the block prove its absence. */
export async function findTransaction(
  server: LiteServer,
  block: BlockIdExt,
  address: Address,
  lt: bigint,
  options: TypedAskOptions,
): Promise<InCell<Transaction> | undefined> {
  if (!shardHolds(block, address)) return undefined;
  const args = { id: blockIdToTl(block), account: accountIdToTl(address), lt };
  const check = (answer: TlValue<typeof transactionInfo>) => checkOneTransaction(block, address, lt, answer);
  const proven = await askProven(server, getOneTransaction, args, check, options);
  if (proven !== "claimed-missing") return proven;
  const account = accountOf(address);
  const around = { count: 1, after: { account, lt: lt === 0n ? 0n : lt - 1n } };
  const { items } = await fetchBlockTransactionsExt(server, block, around, options);
  return items.find((item) => item.account === account && item.lt === lt);
}

/** `claimed-missing`: servers prove the presence of a transaction, not its absence. */
export function checkOneTransaction(
  block: BlockIdExt,
  address: Address,
  lt: bigint,
  answer: TlValue<typeof transactionInfo>,
): InCell<Transaction> | "claimed-missing" {
  return proven("transaction", () => {
    expectBlock(answer.id, block);
    const { block: proved } = openBlock(proofRoot(answer.proof), block);
    if (answer.transaction.length === 0) return "claimed-missing";
    const account = accountBlocksOf(proved).get(accountOf(address));
    const cell = readRoot(answer.transaction);
    if (cell.hash() !== account.transactions.get(lt).cell.hash(0))
      throw proofError("the transaction is not the one in the block");
    return loadInCell(Transaction, cell);
  });
}
