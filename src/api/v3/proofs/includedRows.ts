import type { IncludedTransaction } from "../../../chain/proofs/shownTransactions.ts";
import { messageRow, transactionRow, withSender } from "../../../history/ingest/decode/decodeRows.ts";
import type { FullMessage, FullTransaction } from "../../../history/queries/fill/FullTransaction.ts";
import { joinMessage, joinTransactions } from "../../../history/queries/fill/fillTransactions.ts";
import { zeroHash } from "../../../model/Hash.ts";
import { type TraceMessage, traceTransaction } from "../../../model/Trace.ts";

/** Says which version messages have; what depends on it is not shown as proved. */
const anyVersion = 0;

/**
 * A transaction of a proved block as the index has it; without its trace, its states, the meaning of its bodies and the
 * block that commits it.
 */
export function includedRow({ transaction, header: { id } }: IncludedTransaction): FullTransaction {
  const { in: received, out } = transaction.messages;
  const outs = out.values();
  const seen = traceTransaction(transaction, { workchain: id.workchain, mcSeqno: 0, emulated: false }, outs);
  const row = { ...transactionRow(transaction, seen, { id, root: transaction.cell }), traceId: zeroHash };
  const messages: FullMessage[] = [];
  if (received !== undefined && seen.inMessage !== undefined)
    messages.push(joinMessage(messageRow(received, seen.inMessage, anyVersion, seen.lt)));
  outs.forEach((sent, index) => {
    const made = messageRow(sent, seen.outMessages[index] as TraceMessage, anyVersion, seen.lt);
    messages.push(joinMessage(withSender(made, seen.hash, index)));
  });
  const [full] = joinTransactions([row], messages, []);
  return full as FullTransaction;
}
