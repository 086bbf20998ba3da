import { useMemo } from "preact/hooks";
import { hueOf } from "../format/address.ts";
import { briefOf } from "../parts/AddressLink.tsx";
import { formatValue, isReturned, nameOperation } from "../parts/message.ts";
import { type PlacedCall, placeLanes } from "./lanes.ts";
import { listTransactions, type TransactionNode } from "./model.ts";
import { clip } from "./textWidth.ts";

const rowHeight = 46;
const headHeight = 56;
/** Larger diagrams are unreadable; the table shows them. */
const maxRows = 300;
const maxWords = 34;

/** Calls in order: a column for each account, time runs downwards. */
export function Sequence({ root }: { readonly root: TransactionNode }) {
  const nodes = useMemo(() => listTransactions(root).slice(0, maxRows), [root]);
  const accounts = useMemo(() => listAccounts(nodes), [nodes]);
  const heads = accounts.map((account) => clip(briefOf(account), 22));
  const words = nodes.map(({ message }) => [clip(nameOperation(message), maxWords), formatValue(message)]);
  const { xs, calls, width } = placeLanes(
    accounts.length,
    nodes.map(({ message, transaction }, at) => ({
      from: accounts.indexOf(message === undefined ? transaction.account : (message.source ?? "")),
      to: accounts.indexOf(transaction.account),
      words: words[at] ?? [],
    })),
    heads,
  );
  const height = headHeight + nodes.length * rowHeight + 20;
  return (
    <div class="picture" tabIndex={0} role="region" aria-label="Sequence of messages">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${nodes.length} messages between ${accounts.length} accounts`}
      >
        {accounts.map((account, at) => (
          <g key={account} class="lane">
            <path d={`M${xs[at]} ${headHeight - 14}V${height}`} />
            <circle cx={xs[at]} cy="14" r="6" fill={`hsl(${hueOf(account)} 65% 52%)`} />
            <text x={xs[at]} y="36" text-anchor="middle">
              {heads[at]}
            </text>
          </g>
        ))}
        {nodes.map((node, at) => (
          <Arrow
            key={node.id}
            node={node}
            call={calls[at] ?? { start: 0, end: 0, middle: 0 }}
            words={words[at] ?? []}
            y={headHeight + at * rowHeight + 24}
          />
        ))}
      </svg>
    </div>
  );
}

function listAccounts(nodes: readonly TransactionNode[]): string[] {
  const found = nodes.flatMap(({ message, transaction }) => [
    message?.source ?? transaction.account,
    transaction.account,
  ]);
  return [...new Set(found)];
}

interface ArrowProps {
  readonly node: TransactionNode;
  readonly call: PlacedCall;
  readonly words: readonly string[];
  readonly y: number;
}

function Arrow({ node: { message, outcome }, call: { start, end, middle }, words, y }: ArrowProps) {
  const direction = start <= end ? -1 : 1;
  const tip = end + direction * 2;
  const isBack = message !== undefined && isReturned(message);
  return (
    <g class={`edge ${outcome}${isBack ? " bounced" : ""}`}>
      <title>{words.join("\n")}</title>
      <path d={`M${start} ${y}H${tip}`} />
      <path class="arrow" d={`M${tip + direction * 7} ${y - 4}L${tip} ${y}L${tip + direction * 7} ${y + 4}`} />
      <text x={middle} y={y - 6} text-anchor="middle">
        {words[0]}
      </text>
      <text class="value" x={middle} y={y + 15} text-anchor="middle">
        {words[1]}
      </text>
      {outcome === "failed" && <path class="mark" d={`M${end + 8} ${y - 4}l8 8m0-8l-8 8`} />}
    </g>
  );
}
