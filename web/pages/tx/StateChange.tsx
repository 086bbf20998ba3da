import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { AccountState } from "../../api/types.ts";
import { nameStatus } from "../../format/names.ts";
import { later } from "../../parts/later.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Table } from "../../parts/Table.tsx";
import { Badge, Coins, HashText } from "../../parts/values.tsx";
import type { TransactionPanel } from "./TransactionPanel.ts";

type Row = readonly [name: string, show: (state: AccountState) => ComponentChildren, isChanged: boolean];

const StorageChange = later(() => import("../../contract/StorageChange.tsx").then((module) => module.StorageChange));

/**
 * What the transaction changed in the data of the contract, when it is asked for: lite servers may not keep old states.
 */
export function DataChange({ transaction, from }: TransactionPanel) {
  const [isWanted, setWanted] = useState(false);
  const { account, mc_block_seqno: seqno, account_state_before: before, account_state_after: after } = transaction;
  const isKnown = before.balance !== null && after.balance !== null;
  if (transaction.emulated || (isKnown && before.data_hash === after.data_hash)) return null;
  if (isWanted) return <StorageChange address={account} from={seqno - 1} to={seqno} by={transaction} />;
  return (
    <Panel title="What changed in the data" from={[from]} note="By the names of the contract's ABI.">
      <button type="button" onClick={() => setWanted(true)}>
        Show what changed in the data
      </button>
    </Panel>
  );
}

/** The account before and after the transaction. */
export function StateChange({ transaction, from }: TransactionPanel) {
  const { account_state_before: before, account_state_after: after } = transaction;
  const rows: readonly Row[] = [
    ["Balance", ({ balance }) => <Coins value={balance} />, before.balance !== after.balance],
    [
      "State",
      ({ account_status: status }) => nameStatus(status ?? "unknown"),
      before.account_status !== after.account_status,
    ],
    ["Code", ({ code_hash: hash }) => <HashText hash={hash} />, before.code_hash !== after.code_hash],
    ["Data", ({ data_hash: hash }) => <HashText hash={hash} />, before.data_hash !== after.data_hash],
    ["Whole state", ({ hash }) => <HashText hash={hash} />, before.hash !== after.hash],
  ];
  const isUnknown = before.balance === null || after.balance === null;
  return (
    <Panel
      title="State before and after"
      from={[from]}
      note={
        isUnknown &&
        "The index keeps the state at the end of each block; a state between two transactions of one block is known by its hash only."
      }
    >
      <Table title="State before and after" columns={["-Field", "Before", "After", "-Difference"]}>
        {rows.map(([name, show, isChanged]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-label="Before">{show(before)}</td>
            <td data-label="After">{show(after)}</td>
            <td data-label="Difference">
              {name === "Balance" && before.balance !== null && after.balance !== null ? (
                <Coins value={BigInt(after.balance) - BigInt(before.balance)} isSigned />
              ) : (
                isChanged && (!isUnknown || name === "Whole state") && <Badge tone="warn">changed</Badge>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
