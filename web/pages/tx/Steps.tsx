import type { V2Answer } from "../../api/types.ts";
import { href } from "../../browser/router.ts";
import { formatCount } from "../../format/coins.ts";
import { shorten } from "../../format/hash.ts";
import { TableHead } from "../../parts/Table.tsx";

export type Replayed = V2Answer<"replayTransaction">;

type Step = Replayed["steps"][number];
type Value = Step["stack"][number];

interface Props {
  readonly replayed: Replayed;
  readonly size: number;
  readonly from: number;
  readonly chosen: number | undefined;
  readonly onChoose: (step: number) => void;
  readonly onMove: (from: number) => void;
}

/** The steps of a run, a page of them, and the stack of the chosen one. */
export function Steps({ replayed, size, from, chosen, onChoose, onMove }: Props) {
  const { steps, total_steps: total, failed_step: failed, cells } = replayed;
  const shown = steps.find(({ index }) => index === chosen);
  const last = Math.floor((total - 1) / size) * size;
  const move = (label: string, to: number, isEnd: boolean) => (
    <button type="button" disabled={isEnd} onClick={() => onMove(to)}>
      {label}
    </button>
  );
  return (
    <>
      <nav class="line steps-bar" aria-label="Steps">
        {move("First", 0, from === 0)}
        {move("Back", from - size, from === 0)}
        <span class="muted number">
          {formatCount(from + 1)} to {formatCount(from + steps.length)} of {formatCount(total)}
        </span>
        {move("On", from + size, from >= last)}
        {move("Last", last, from >= last)}
        {failed !== null && (
          <button type="button" class="primary" onClick={() => onChoose(failed)}>
            Go to the failing step
          </button>
        )}
      </nav>
      <div class="scroll steps" tabIndex={0} role="region" aria-label="Steps of the run">
        <table>
          <TableHead columns={[">Step", "Operation", ">Gas", ">Used before", "Stack before, top last"]} />
          <tbody>
            {steps.map((step) => (
              <Row
                key={step.index}
                step={step}
                isFailed={step.index === failed}
                isChosen={step.index === chosen}
                onChoose={onChoose}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shown !== undefined && <Stack step={shown} cells={cells} />}
    </>
  );
}

interface RowProps {
  readonly step: Step;
  readonly isFailed: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (step: number) => void;
}

function Row({ step, isFailed, isChosen, onChoose }: RowProps) {
  return (
    <tr
      class={[isFailed ? "failed" : "", isChosen ? "chosen" : ""].join(" ").trim() || undefined}
      ref={(row: HTMLTableRowElement | null) => {
        if (isChosen) row?.scrollIntoView({ block: "nearest" });
      }}
    >
      <td class="right">
        <button
          type="button"
          class="quiet number"
          aria-pressed={isChosen}
          aria-label={`Stack of step ${step.index + 1}`}
          onClick={() => onChoose(step.index)}
        >
          {step.index + 1}
        </button>
      </td>
      <td>
        <code>{step.operation}</code>
        {step.source !== null && (
          <div class="small muted">
            <bdi>
              {step.source.file}:{step.source.line}
            </bdi>
          </div>
        )}
      </td>
      <td class="right number">{step.gas}</td>
      <td class="right number">{formatCount(step.gas_used)}</td>
      <td>
        <code class="brief">{briefStack(step)}</code>
      </td>
    </tr>
  );
}

const maxBrief = 4;

function briefStack({ stack, stack_depth: depth }: Step): string {
  const top = stack.slice(-maxBrief).map(briefValue);
  return depth > maxBrief ? `… ${top.join(" ")}` : top.join(" ");
}

export function briefValue(value: Value): string {
  switch (value.type) {
    case "int":
      return (value.value ?? "").length > 24 ? shorten(value.value ?? "", 10, 8) : (value.value ?? "");
    case "null":
      return "null";
    case "tuple":
      return `tuple(${value.length ?? 0})`;
    case "cont":
      return "cont";
    default:
      return `${value.type}{${shorten(value.bits ?? "", 8, 4)}}`;
  }
}

/** Every value of the stack before a step, the top first. */
function Stack({ step, cells }: { readonly step: Step; readonly cells: Replayed["cells"] }) {
  const { stack, stack_depth: depth, index, operation } = step;
  return (
    <div class="stack" role="status">
      <h3>
        Stack before step {index + 1}, <code>{operation}</code>
      </h3>
      <p class="small muted">
        {depth === 0 ? "It is empty." : `${depth} value${depth === 1 ? "" : "s"}, the top first.`}
        {depth > stack.length && ` The lower ${depth - stack.length} are not shown.`}
      </p>
      <ol class="rows">
        {stack.toReversed().map((value, at) => (
          <li key={at}>
            <ValueView value={value} cells={cells} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function ValueView({ value, cells }: { readonly value: Value; readonly cells: Replayed["cells"] }) {
  switch (value.type) {
    case "int":
      return <code class="bits">{value.value}</code>;
    case "null":
      return <span class="muted">null</span>;
    case "cont":
      return <span class="muted">a continuation: code to run later</span>;
    case "tuple":
      return (
        <span>
          tuple of {value.length}
          <ul>
            {((value.items ?? []) as readonly Value[]).map((item, at) => (
              <li key={at}>
                <ValueView value={item} cells={cells} />
              </li>
            ))}
          </ul>
        </span>
      );
    default:
      return <CellValue value={value} cells={cells} />;
  }
}

/** A cell, or a part of one, with the way into the inspector. */
function CellValue({ value, cells }: { readonly value: Value; readonly cells: Replayed["cells"] }) {
  const boc = cells.find(({ hash }) => hash === value.hash)?.boc;
  return (
    <span>
      {value.type}, {((value.refs ?? 0) === 1 && "1 reference") || `${value.refs ?? 0} references`}
      {boc !== undefined && boc.length < 6_000 && (
        <>
          {" "}
          <a href={href(`/cell?boc=${encodeURIComponent(boc)}`)}>Open in the cell inspector</a>
        </>
      )}
      <code class="bits">{value.bits === "" ? "no bits" : value.bits}</code>
    </span>
  );
}
