import type { Cell } from "../../cell/Cell.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { CurrencyCollection } from "../../model/Currency.ts";
import type { Hash } from "../../model/Hash.ts";
import { type InCell, inCell, Message } from "../../model/Message.ts";

/** What a block needs of a transaction. */
export interface BlockTransaction {
  readonly cell: Cell;
  readonly account: Hash;
  readonly lt: bigint;
  readonly totalFees: CurrencyCollection;
  readonly outMessages: readonly InCell<Message>[];
}

const outMessages = dictionary(uintKey(15), inCell(Message));

// transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
//   outmsg_cnt:uint15 orig_status:AccountStatus end_status:AccountStatus
//   ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ] total_fees:CurrencyCollection … = Transaction;
/** Reads a transaction that was just made. Its phases and its own message, most of the work, are left alone. */
export function readTransaction(cell: Cell): BlockTransaction {
  const slice = sliceOf(cell).skip(4);
  const account = slice.loadHash();
  const lt = slice.loadBigUint(64);
  slice.skip(256 + 64 + 32 + 15 + 2 + 2);
  const messages = sliceOf(slice.loadRef());
  messages.loadMaybeRef();
  const sent = outMessages.load(messages).values();
  return { cell, account, lt, totalFees: CurrencyCollection.load(slice), outMessages: sent };
}
