import { useMemo } from "preact/hooks";
import { hueOf } from "../format/address.ts";
import { briefOf } from "../parts/AddressLink.tsx";
import { formatValue, nameOperation } from "../parts/message.ts";
import { listTransactions, type TransactionNode } from "./model.ts";

const laneWidth = 190;
const rowHeight = 46;
const headHeight = 56;
/** Room for the words of external messages. */
const outside = 60;
/** Larger diagrams are unreadable; the table shows them. */
const maxRows = 300;

/** Calls in order: a column for each account, time runs downwards. */
export function Sequence({ root }: { readonly root: TransactionNode }) {
  const nodes = useMemo(() => listTransactions(root).slice(0, maxRows), [root]);
  const lanes = useMemo(() => listLanes(nodes), [nodes]);
  const x = (account: string | null | undefined) => {
    const at = lanes.indexOf(account ?? "");
    return at < 0 ? 10 : outside + at * laneWidth + laneWidth / 2;
  };
  const width = outside + Math.max(lanes.length, 1) * laneWidth;
  const height = headHeight + nodes.length * rowHeight + 20;
  return (
    <div class="picture" tabIndex={0} role="region" aria-label="Sequence of messages">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${nodes.length} messages between ${lanes.length} accounts`}
      >
        {lanes.map((account) => (
          <g key={account} class="lane">
            <path d={`M${x(account)} ${headHeight - 14}V${height}`} />
            <circle cx={x(account)} cy="14" r="6" fill={`hsl(${hueOf(account)} 65% 52%)`} />
            <text x={x(account)} y="36" text-anchor="middle">
              {briefOf(account).slice(0, 22)}
            </text>
          </g>
        ))}
        {nodes.map((node, at) => (
          <Arrow
            key={node.id}
            node={node}
            from={x(node.message?.source)}
            to={x(node.transaction.account)}
            y={headHeight + at * rowHeight + 24}
          />
        ))}
      </svg>
    </div>
  );
}

function listLanes(nodes: readonly TransactionNode[]): string[] {
  const found = nodes.flatMap(({ message, transaction }) => [
    message?.source ?? transaction.account,
    transaction.account,
  ]);
  return [...new Set(found)];
}

interface ArrowProps {
  readonly node: TransactionNode;
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

function Arrow({ node, from, to, y }: ArrowProps) {
  const { message, outcome } = node;
  const isSelf = from === to;
  const direction = from <= to ? -1 : 1;
  const start = isSelf ? to - 46 : from;
  const tip = to + (isSelf ? -2 : direction * 2);
  const words = `${nameOperation(message)} ${formatValue(message)}`.trim();
  return (
    <g class={`edge ${outcome}${message?.bounced === true ? " bounced" : ""}`}>
      <title>{words}</title>
      <path d={`M${start} ${y}H${tip}`} />
      <path
        class="arrow"
        d={`M${tip + (isSelf ? -7 : direction * 7)} ${y - 4}L${tip} ${y}L${tip + (isSelf ? -7 : direction * 7)} ${y + 4}`}
      />
      <text x={(start + tip) / 2} y={y - 6} text-anchor="middle">
        {words.length > 34 ? `${words.slice(0, 33)}…` : words}
      </text>
      {outcome === "failed" && <path class="mark" d={`M${to + 8} ${y - 4}l8 8m0-8l-8 8`} />}
    </g>
  );
}
