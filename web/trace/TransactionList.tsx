import type { Transaction } from "../api/types.ts";
import { AddressLink } from "../parts/AddressLink.tsx";
import { nameOperation } from "../parts/message.ts";
import { Ago, Badge, Coins, HashText } from "../parts/values.tsx";
import { outcomeOf, type TransactionNode } from "./model.ts";
import { explainFailure } from "./words.ts";

interface Props {
  readonly transactions: readonly Transaction[];
  /** Hides the account column if all transactions belong to one account. */
  readonly isOneAccount?: boolean;
}

/** Transactions, one per row. */
export function TransactionList({ transactions, isOneAccount = false }: Props) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Transactions">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">Transaction</th>
            {!isOneAccount && <th scope="col">Account</th>}
            <th scope="col">Message</th>
            <th scope="col">From</th>
            <th scope="col" class="right">
              Value
            </th>
            <th scope="col" class="right">
              Fees
            </th>
            <th scope="col">Age</th>
          </tr>
        </thead>
        <tbody>
          {transactions.map((transaction) => (
            <Row key={transaction.hash} transaction={transaction} isOneAccount={isOneAccount} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ transaction, isOneAccount }: { readonly transaction: Transaction; readonly isOneAccount: boolean }) {
  const outcome = outcomeOf(transaction);
  const message = transaction.in_msg ?? undefined;
  const node: TransactionNode = {
    kind: "transaction",
    id: transaction.hash,
    transaction,
    outcome,
    message,
    height: 0,
    children: [],
  };
  return (
    <tr class={outcome === "failed" ? "failed" : undefined}>
      <td data-label="Transaction">
        <div>
          <HashText hash={transaction.hash} to="tx" />
          {outcome === "failed" && <div class="small">{explainFailure(node)}</div>}
          {transaction.emulated && <Badge tone="warn">pending</Badge>}
        </div>
      </td>
      {!isOneAccount && (
        <td data-label="Account">
          <AddressLink address={transaction.account} />
        </td>
      )}
      <td data-label="Message">{nameOperation(message)}</td>
      <td data-label="From">
        {message === undefined ? (
          <span class="muted">the network</span>
        ) : message.source === null ? (
          <span class="muted">outside</span>
        ) : (
          <AddressLink address={message.source} />
        )}
      </td>
      <td class="right" data-label="Value">
        <Coins value={message?.value} />
      </td>
      <td class="right" data-label="Fees">
        <Coins value={transaction.total_fees} />
      </td>
      <td data-label="Age">
        <Ago at={transaction.now} />
      </td>
    </tr>
  );
}
