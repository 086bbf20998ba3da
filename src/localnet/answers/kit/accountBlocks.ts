import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import { Dictionary, maxChainEntries } from "../../../cell/dictionary.ts";
import { bigUintKey } from "../../../cell/keys.ts";
import type { Slice } from "../../../cell/Slice.ts";
import { ShardAccountBlocks } from "../../../model/block/AccountBlock.ts";
import { Block, type BlockExtra } from "../../../model/block/Block.ts";
import { CurrencyCollection } from "../../../model/Currency.ts";
import type { Hash } from "../../../model/Hash.ts";
import { LocalnetError } from "../../errors.ts";
import type { LedgerBlock } from "../../ledger/Ledger.ts";
import { openCell } from "../../ledger/proof.ts";
import { leavesByHash } from "./masterState.ts";

/** A leaf: the fees of the transaction, then the transaction. */
const transactionCell = {
  load: (leaf: Slice): Cell => {
    CurrencyCollection.load(leaf);
    const cell = leaf.loadRef();
    // A single transaction shares its cell with the following fields of the account's entry.
    leaf.skip(leaf.remainingBits).skipRefs(leaf.remainingRefs);
    return cell;
  },
  store: (): never => {
    throw new LocalnetError("localnet/missing", "transactions cannot be stored");
  },
};

/** Transactions of one account in a block, by logical time; the transactions themselves are not read. */
export type AccountTransactions = Dictionary<bigint, Cell>;

// acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection) …
function loadTransactions(leaf: Slice): AccountTransactions {
  CurrencyCollection.load(leaf);
  leaf.skip(4 + 256);
  return new Dictionary(leaf, bigUintKey(64), transactionCell, maxChainEntries);
}

/** Accounts with transactions in a block, from one of them on, while the visitor returns `true`. */
export function walkAccounts(
  extra: BlockExtra,
  range: { readonly from: Hash; readonly reverse: boolean },
  visit: (account: Hash, transactions: AccountTransactions) => boolean,
): void {
  const accounts = leavesByHash(loadCell(ShardAccountBlocks, extra.accountBlocks.cell).root);
  accounts.walk((leaf, account) => visit(account, loadTransactions(leaf)), range);
}

/** Finds a transaction as a node does: header first, and the accounts only when the time is in the block. */
export function findTransaction(root: Cell, { info }: LedgerBlock, account: Hash, lt: bigint): Cell | undefined {
  const block = loadCell(Block, root);
  openCell(block.info.cell);
  if (lt <= info.startLt || lt >= info.endLt) return undefined;
  const accounts = loadCell(ShardAccountBlocks, block.extra.load().accountBlocks.cell);
  const leaf = leavesByHash(accounts.root).find(account);
  return leaf === undefined ? undefined : loadTransactions(leaf).find(lt);
}
