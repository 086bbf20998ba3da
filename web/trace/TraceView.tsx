import { useMemo, useState } from "preact/hooks";
import type { Action, TraceNode, Transaction } from "../api/types.ts";
import { href } from "../browser/router.ts";
import { formatCount } from "../format/coins.ts";
import { hashInPath } from "../format/hash.ts";
import { AddressLink } from "../parts/AddressLink.tsx";
import { nameOperation } from "../parts/message.ts";
import { Empty } from "../parts/Panel.tsx";
import { Coins } from "../parts/values.tsx";
import { type ActionGroups, groupActions } from "./groups.ts";
import { listNodes, makeTree, type TransactionNode } from "./model.ts";
import { Sequence } from "./Sequence.tsx";
import { TraceTable } from "./TraceTable.tsx";
import { TraceTree } from "./TraceTree.tsx";
import { explainFailure } from "./words.ts";

interface Props {
  readonly trace: TraceNode;
  readonly transactions: Readonly<Record<string, Transaction>>;
  /** Drawn as coloured groups over the transactions. */
  readonly actions?: readonly Action[];
  readonly marked?: string;
  /** Emulated transactions have no page. */
  readonly isEmulated?: boolean;
}

const views = [
  ["tree", "Picture"],
  ["sequence", "Sequence"],
  ["table", "List"],
] as const;
type View = (typeof views)[number][0];

const noActions: readonly Action[] = [];

/** A trace in three views, with details of the selected transaction. */
export function TraceView({ trace, transactions, actions = noActions, marked, isEmulated = false }: Props) {
  const root = useMemo(() => makeTree(trace, transactions), [trace, transactions]);
  const groups = useMemo(() => groupActions(actions), [actions]);
  const [view, setView] = useState<View>("tree");
  const [selected, setSelected] = useState<TransactionNode>();
  if (root === undefined) return <Empty>The trace is not complete yet.</Empty>;
  const failed = listNodes(root).find((node) => node.kind === "transaction" && node.outcome === "failed");
  const shown = selected ?? (failed?.kind === "transaction" ? failed : undefined);
  return (
    <>
      <div class="switch" role="group" aria-label="How to show the trace">
        {views.map(([id, title]) => (
          <button key={id} type="button" aria-pressed={view === id} onClick={() => setView(id)}>
            {title}
          </button>
        ))}
      </div>
      {view === "tree" && (
        <>
          <Legend groups={groups} />
          <TraceTree root={root} groups={groups} onSelect={setSelected} {...(marked === undefined ? {} : { marked })} />
        </>
      )}
      {view === "sequence" && <Sequence root={root} />}
      {view === "table" && <TraceTable root={root} />}
      {view !== "table" && shown !== undefined && <Selected node={shown} isEmulated={isEmulated} />}
    </>
  );
}

function Legend({ groups }: { readonly groups: ActionGroups }) {
  if (groups.list.length === 0) return null;
  return (
    <ul class="legend" aria-label="Actions of the trace">
      {groups.list.map(({ number, title, hue }) => (
        <li key={number}>
          <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">
            <rect width="10" height="10" rx="3" fill={`hsl(${hue} 70% 55%)`} />
          </svg>
          {number} {title}
        </li>
      ))}
    </ul>
  );
}

function Selected({ node, isEmulated }: { readonly node: TransactionNode; readonly isEmulated: boolean }) {
  const { transaction, message, outcome } = node;
  const { compute_ph: compute } = transaction.description;
  const failure = explainFailure(node);
  return (
    <div class={`selected ${outcome}`} role="status">
      <AddressLink address={transaction.account} /> received <strong>{nameOperation(message)}</strong>
      {message?.value !== null && message?.value !== undefined && (
        <>
          {" "}
          with <Coins value={message.value} />
        </>
      )}
      .{failure !== "" && <strong class="why"> {failure}</strong>} Fees: <Coins value={transaction.total_fees} />
      {compute?.gas_used !== undefined && <>, gas: {formatCount(compute.gas_used)}</>}.
      {!isEmulated && (
        <>
          {" "}
          <a href={href(`/tx/${hashInPath(transaction.hash)}`)}>Open the transaction</a>
        </>
      )}
    </div>
  );
}
