import { useMemo } from "preact/hooks";
import { AddressLink } from "../parts/AddressLink.tsx";
import { More } from "../parts/More.tsx";
import { nameOperation } from "../parts/message.ts";
import { Table } from "../parts/Table.tsx";
import { Coins, HashText } from "../parts/values.tsx";
import type { PictureNode, TransactionNode } from "./model.ts";
import { OutcomeBadge } from "./OutcomeBadge.tsx";
import { explainFailure } from "./words.ts";

interface Line {
  readonly node: TransactionNode;
  readonly depth: number;
}

/** The same trace as a nested list, for screen readers, searching and copying. */
export function TraceTable({ root }: { readonly root: TransactionNode }) {
  const lines = useMemo(() => listLines(root), [root]);
  return (
    <More items={lines} step={50}>
      {(shown) => <Lines lines={shown} />}
    </More>
  );
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <Table
      title="Transactions of the trace"
      columns={["Account", "Message", ">Value", "Result", ">Fees", "Transaction"]}
    >
      {lines.map(({ node, depth }) => (
        <tr key={node.id} class={node.outcome === "failed" ? "failed" : undefined}>
          <td data-label="Account">
            <span>
              <span class="indent" style={{ width: `${Math.min(depth, 20) * 14}px` }} />
              {depth > 0 && <span aria-hidden="true">↳ </span>}
              <AddressLink address={node.transaction.account} />
            </span>
          </td>
          <td data-label="Message">{nameOperation(node.message)}</td>
          <td class="right" data-label="Value">
            <Coins value={node.message?.value} />
          </td>
          <td data-label="Result">
            <div>
              <OutcomeBadge outcome={node.outcome} />
              {node.outcome === "failed" && <div class="small">{explainFailure(node)}</div>}
            </div>
          </td>
          <td class="right" data-label="Fees">
            <Coins value={node.transaction.total_fees} />
          </td>
          <td data-label="Transaction">
            <HashText hash={node.transaction.hash} to="tx" />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Depth-first, without recursion. */
function listLines(root: TransactionNode): Line[] {
  const lines: Line[] = [];
  const waiting: { readonly node: PictureNode; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    if (node.kind !== "transaction") continue;
    lines.push({ node, depth });
    for (const child of node.children.toReversed()) waiting.push({ node: child, depth: depth + 1 });
  }
  return lines;
}
