import { formatAmount } from "../api/features.ts";
import { hueOf } from "../format/address.ts";
import { briefOf } from "../parts/AddressLink.tsx";
import { formatValue, isReturned, nameOperation } from "../parts/message.ts";
import type { ActionGroup } from "./groups.ts";
import type { LogNode, PictureNode, TransactionNode } from "./model.ts";
import { maxLabel, nodeWidth, type Spot } from "./spots.ts";
import { clip } from "./textWidth.ts";
import { explainFailure, kindOf } from "./words.ts";

const boxHeight = 46;
const cut = 10;

interface Props {
  readonly spot: Spot;
  readonly margin: number;
  readonly isMarked: boolean;
  readonly isFocusable: boolean;
  /** The action that the transaction is a part of. */
  readonly group: ActionGroup | undefined;
  readonly onChoose: () => void;
}

/** A node and the edge that leads to it. */
export function NodeShape({ spot, margin, isMarked, isFocusable, group, onChoose }: Props) {
  const { node, x, y } = spot;
  // SVG attributes are written as they are: tabindex, not tabIndex.
  return (
    <>
      {group !== undefined && <Halo group={group} x={x + margin} y={y - boxHeight / 2} />}
      <Edge spot={spot} margin={margin} />
      {node.kind === "log" ? (
        <g transform={`translate(${x + margin} ${y})`} class="log">
          <circle cx="8" cy="0" r="7" />
          <text x="22" y="4">
            {describeLog(node)}
          </text>
        </g>
      ) : (
        <g
          role="button"
          tabindex={isFocusable ? 0 : -1}
          aria-pressed={isMarked}
          class={`node ${node.kind === "fold" ? "fold" : node.outcome}${isMarked ? " marked" : ""}`}
          transform={`translate(${x + margin} ${y - boxHeight / 2})`}
          onClick={onChoose}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            onChoose();
          }}
        >
          <Box node={node} />
        </g>
      )}
    </>
  );
}

/** The colour of an action behind a node, with the number of the action: colours alone are not enough. */
function Halo({ group, x, y }: { readonly group: ActionGroup; readonly x: number; readonly y: number }) {
  return (
    <g class="halo" transform={`translate(${x} ${y})`}>
      <rect x="-6" y="-6" width={nodeWidth + 12} height={boxHeight + 12} rx="12" fill={`hsl(${group.hue} 70% 55%)`} />
      <text x={nodeWidth + 9} y="2">
        {group.number}
      </text>
    </g>
  );
}

function describeLog({ message }: LogNode): string {
  return message.opcode === null ? "log" : `log: ${nameOperation(message)}`;
}

function Box({ node }: { readonly node: Exclude<PictureNode, LogNode> }) {
  if (node.kind === "fold") {
    const [first] = node.members;
    return (
      <>
        <title>{`${node.members.length} transactions alike: open`}</title>
        <rect class="box behind" x="6" y="6" width={nodeWidth} height={boxHeight} rx="8" />
        <rect class="box" width={nodeWidth} height={boxHeight} rx="8" />
        <text class="title" x="14" y="20">
          × {node.members.length}
        </text>
        <text class="sub" x="14" y="36">
          {clip(first === undefined ? "" : kindOf(first.transaction.account) || "open to see each", 20)}
        </text>
      </>
    );
  }
  const { account } = node.transaction;
  return (
    <>
      <title>{tooltip(node)}</title>
      {node.outcome === "failed" ? (
        <path class="box" d={octagon()} />
      ) : (
        <rect class="box" width={nodeWidth} height={boxHeight} rx="8" />
      )}
      <circle cx="17" cy="17" r="6" fill={`hsl(${hueOf(account)} 65% 52%)`} />
      <text class="title" x="30" y="21">
        {clip(briefOf(account), 15)}
      </text>
      <text class="sub" x="12" y="37">
        {clip(subtitle(node), 21)}
      </text>
      {node.outcome === "failed" && <path class="mark" d={`M${nodeWidth - 19} 10l8 8m0-8l-8 8`} />}
    </>
  );
}

function subtitle(node: TransactionNode): string {
  const { compute_ph: compute } = node.transaction.description;
  if (node.outcome === "failed") return compute?.success === false ? `exit code ${compute.exit_code ?? "?"}` : "failed";
  return kindOf(node.transaction.account) || (node.outcome === "skipped" ? "no code here" : "contract");
}

function tooltip(node: TransactionNode): string {
  const { total_fees: fees, description } = node.transaction;
  const gas = description.compute_ph?.gas_used;
  const lines = [
    briefOf(node.transaction.account),
    subtitle(node),
    explainFailure(node),
    `fees ${formatAmount(fees)}`,
    gas === undefined ? "" : `gas ${gas}`,
  ];
  return lines.filter((line) => line !== "").join("\n");
}

/** A rectangle with cut corners, so that a failure is visible without colour. */
function octagon(): string {
  const [w, h] = [nodeWidth, boxHeight];
  return `M${cut} 0H${w - cut}L${w} ${cut}V${h - cut}L${w - cut} ${h}H${cut}L0 ${h - cut}V${cut}Z`;
}

function Edge({ spot, margin }: { readonly spot: Spot; readonly margin: number }) {
  const { node, x, y, parent } = spot;
  const end = x + margin;
  if (parent === undefined) {
    return node.message === undefined ? null : (
      <g class="edge">
        <circle class="outside" cx={margin - 36} cy={y} r="6" />
        <path d={`M${margin - 30} ${y}H${end - 2}`} />
      </g>
    );
  }
  const start = parent.x + margin + nodeWidth;
  const bend = start + 28;
  const label = nameOperation(node.message);
  const value = formatValue(node.message);
  return (
    <g class={`edge${node.message !== undefined && isReturned(node.message) ? " bounced" : ""}`}>
      <title>{[label, value].filter((line) => line !== "").join("\n")}</title>
      <path d={`M${start} ${parent.y}C${bend} ${parent.y} ${start + 8} ${y} ${bend + 8} ${y}H${end - 2}`} />
      <path class="arrow" d={`M${end - 8} ${y - 4}L${end - 1} ${y}L${end - 8} ${y + 4}`} />
      {node.kind !== "log" && (
        <>
          <text x={bend + 12} y={y - 5}>
            {clip(label, maxLabel)}
          </text>
          <text class="value" x={bend + 12} y={y + 14}>
            {clip(value, maxLabel)}
          </text>
        </>
      )}
    </g>
  );
}
