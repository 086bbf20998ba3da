import { useState } from "preact/hooks";
import { formatCount } from "../format/coins.ts";
import { TableHead } from "../parts/Table.tsx";
import { type FlameNode, layOutFlame, type StackGas } from "./flame.ts";

const [width, rowHeight] = [800, 20];
/** Of a letter, about. */
const letterWidth = 7;
/** Rows of the table. */
const maxRows = 100;

/** Gas by calls: a function is as wide as its gas, and what it calls is below it. */
export function FlameGraph({ stacks }: { readonly stacks: readonly StackGas[] }) {
  const [below, setBelow] = useState<readonly string[]>([]);
  const nodes = layOutFlame(stacks, below);
  const whole = stacks.reduce((sum, { gas }) => sum + gas, 0);
  const depth = Math.max(0, ...nodes.map((node) => node.depth)) + 1;
  return (
    <figure class="flame">
      <figcaption>
        Gas by calls{below.length > 0 && <bdi> in {below.join(" → ")}</bdi>}{" "}
        <button type="button" disabled={below.length === 0} onClick={() => setBelow([])}>
          Show all
        </button>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${depth * rowHeight}`} role="group" aria-label="Flame graph of the gas">
        {nodes.map((node) => (
          <Frame key={node.path.join("\n")} node={node} whole={whole} onChoose={() => setBelow(node.path)} />
        ))}
      </svg>
      <details>
        <summary>As a table</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label="Gas by calls">
          <table>
            <TableHead columns={["Calls and line", ">Gas"]} />
            <tbody>
              {stacks.slice(0, maxRows).map(({ frames, gas }) => (
                <tr key={frames.join("\n")}>
                  <td>
                    <bdi>{frames.join(" → ")}</bdi>
                  </td>
                  <td class="right number">{formatCount(gas)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

interface FrameProps {
  readonly node: FlameNode;
  readonly whole: number;
  readonly onChoose: () => void;
}

function Frame({ node, whole, onChoose }: FrameProps) {
  const { name, gas, depth, x, width: share } = node;
  const words = `${name}: gas ${formatCount(gas)}, ${((100 * gas) / Math.max(1, whole)).toFixed(1)} %`;
  const letters = Math.floor((share * width - 6) / letterWidth);
  return (
    <g
      role="button"
      tabindex={0}
      aria-label={words}
      onClick={onChoose}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onChoose();
      }}
    >
      <title>{words}</title>
      <rect x={x * width} y={depth * rowHeight} width={share * width} height={rowHeight - 1} rx="2" />
      {name.length <= letters && (
        <text x={x * width + 4} y={depth * rowHeight + 14}>
          {name}
        </text>
      )}
    </g>
  );
}
