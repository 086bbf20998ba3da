import type { Transaction } from "../api/types.ts";
import { AddressLink } from "../parts/AddressLink.tsx";
import { findComment, nameOperation } from "../parts/message.ts";
import { Comment } from "../parts/Sentence.tsx";
import { Table } from "../parts/Table.tsx";
import { Ago, Badge, Coins, HashText } from "../parts/values.tsx";
import { flowOf, type Movement } from "./flow.ts";
import { outcomeOf } from "./model.ts";
import { OutcomeBadge } from "./OutcomeBadge.tsx";
import { explainFailure } from "./words.ts";

interface Props {
  readonly transactions: readonly Transaction[];
  /** Hides the account column if all transactions belong to one account. */
  readonly isOneAccount?: boolean;
}

/** Transactions, one per row: what was received and sent, and how it ended. */
export function TransactionList({ transactions, isOneAccount = false }: Props) {
  return (
    <Table
      title="Transactions"
      columns={["Transaction", ...(isOneAccount ? [] : ["Account"]), "Messages", ">Value", "Result", ">Fees"]}
    >
      {transactions.map((transaction) => (
        <Row key={transaction.hash} transaction={transaction} isOneAccount={isOneAccount} />
      ))}
    </Table>
  );
}

function Row({ transaction, isOneAccount }: { readonly transaction: Transaction; readonly isOneAccount: boolean }) {
  const outcome = outcomeOf(transaction);
  const { shown, more } = flowOf(transaction);
  return (
    <tr class={outcome === "failed" ? "failed" : undefined}>
      <td data-label="Transaction">
        <div>
          <HashText hash={transaction.hash} to="tx" />
          <div class="small muted">
            <Ago at={transaction.now} />
          </div>
          {transaction.emulated && <Badge tone="warn">pending</Badge>}
        </div>
      </td>
      {!isOneAccount && (
        <td data-label="Account">
          <AddressLink address={transaction.account} />
        </td>
      )}
      <td data-label="Messages">
        <div>
          {shown.length === 0 && nameOperation(undefined)}
          {shown.map((movement) => (
            <MovementLine key={movement.message.hash} movement={movement} />
          ))}
          {more > 0 && <div class="small muted">and {more} more</div>}
        </div>
      </td>
      <td class="right" data-label="Value">
        <div>
          {shown.map(({ direction, message }) => (
            <div key={message.hash}>
              <Coins
                value={direction === "out" && message.value !== null ? -BigInt(message.value) : message.value}
                isSigned
              />
            </div>
          ))}
        </div>
      </td>
      <td data-label="Result">
        <div>
          <OutcomeBadge outcome={outcome} />
          {outcome === "failed" && <div class="small">{explainFailure({ transaction, outcome })}</div>}
        </div>
      </td>
      <td class="right" data-label="Fees">
        <Coins value={transaction.total_fees} />
      </td>
    </tr>
  );
}

function MovementLine({ movement: { direction, message } }: { readonly movement: Movement }) {
  const other = direction === "out" ? message.destination : message.source;
  const words = findComment(message);
  return (
    <div>
      {nameOperation(message)} <span class="muted">{direction === "out" ? "to" : "from"}</span>{" "}
      {other === null ? <span class="muted">outside</span> : <AddressLink address={other} />}
      {words !== undefined && <Comment words={words} />}
    </div>
  );
}
