import { useState } from "preact/hooks";
import { formatCount } from "../format/coins.ts";
import { FlameGraph } from "./FlameGraph.tsx";
import type { StackGas } from "./flame.ts";
import { firstShown, listShown, splitSource } from "./sourceFiles.ts";

/** Where a run is, in the source. */
export interface CurrentLine {
  readonly step: number;
  readonly file: string;
  readonly line: number;
  /** Variables with their values, as text. */
  readonly variables: readonly (readonly [name: string, value: string])[];
}

interface Props {
  readonly source: string;
  readonly current: CurrentLine | undefined;
  readonly gasByLine: readonly { readonly file: string | null; readonly line: number | null; readonly gas: number }[];
  readonly gasByStack: readonly StackGas[];
  /** Lines as `FILE:LINE`. */
  readonly breaks: readonly string[];
  readonly onBreaks: (breaks: readonly string[]) => void;
  readonly onNext: () => void;
  readonly onExit: () => void;
}

/** The source of a contract beside its run: the current line, variables, breakpoints, gas. */
export function Debugger({ source, current, gasByLine, gasByStack, breaks, onBreaks, onNext, onExit }: Props) {
  const files = splitSource(source);
  const [chosen, setChosen] = useState<{ readonly file: string; readonly step: number | undefined }>();
  // A file that the reader chose is shown until the run moves.
  const name = chosen !== undefined && chosen.step === current?.step ? chosen.file : (current?.file ?? files[0]?.name);
  const file = files.find((each) => each.name === name) ?? files[0];
  const gasOf = new Map(gasByLine.map(({ file: own, line, gas }) => [`${own}:${line}`, gas]));
  if (file === undefined) return null;
  const isCurrent = (line: number) => current?.file === file.name && current.line === line;
  const first = firstShown(current?.file === file.name ? current.line : undefined, file.lines.length);
  const toggle = (place: string) =>
    onBreaks(breaks.includes(place) ? breaks.filter((each) => each !== place) : [...breaks, place]);
  return (
    <section class="debugger" aria-label="Source">
      <div class="line">
        <label>
          File{" "}
          <select
            value={file.name}
            onChange={(event) => setChosen({ file: event.currentTarget.value, step: current?.step })}
          >
            {files.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </select>
        </label>
        <button type="button" disabled={breaks.length === 0} onClick={onNext}>
          Go to the next breakpoint
        </button>
        <button type="button" onClick={onExit}>
          Go to the exit
        </button>
        <span class="muted small">
          {breaks.length === 0 ? "Click the number of a line to stop there." : breaks.join(", ")}
        </span>
      </div>
      <div class="scroll source" tabIndex={0} role="region" aria-label="Lines of the source">
        <table>
          <tbody>
            {listShown(file, first).map(([line, text]) => (
              <Line
                key={line}
                line={line}
                text={text}
                gas={gasOf.get(`${file.name}:${line}`)}
                isCurrent={isCurrent(line)}
                isBreak={breaks.includes(`${file.name}:${line}`)}
                onToggle={() => toggle(`${file.name}:${line}`)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {current !== undefined && <Variables current={current} />}
      {gasByStack.length > 0 && <FlameGraph stacks={gasByStack} />}
    </section>
  );
}

interface LineProps {
  readonly line: number;
  readonly text: string;
  readonly gas: number | undefined;
  readonly isCurrent: boolean;
  readonly isBreak: boolean;
  readonly onToggle: () => void;
}

function Line({ line, text, gas, isCurrent, isBreak, onToggle }: LineProps) {
  return (
    <tr
      class={isCurrent ? "chosen" : undefined}
      aria-current={isCurrent ? "true" : undefined}
      ref={(row: HTMLTableRowElement | null) => {
        const box = row?.closest(".source");
        if (isCurrent && row !== null && box) box.scrollTop = row.offsetTop - box.clientHeight / 2;
      }}
    >
      <td class="right">
        <button
          type="button"
          class="quiet number"
          aria-pressed={isBreak}
          aria-label={`Breakpoint at line ${line}`}
          onClick={onToggle}
        >
          {isBreak ? `● ${line}` : line}
        </button>
      </td>
      <td class="right number muted">{gas === undefined ? "" : formatCount(gas)}</td>
      <td>
        <code class="bits">{text}</code>
      </td>
    </tr>
  );
}

function Variables({ current: { step, file, line, variables } }: { readonly current: CurrentLine }) {
  return (
    <p role="status">
      Step {formatCount(step + 1)} is at{" "}
      <bdi>
        {file}:{line}
      </bdi>
      .{" "}
      {variables.map(([name, value], at) => (
        <span key={at}>
          <code>
            {name} = {value}
          </code>{" "}
        </span>
      ))}
    </p>
  );
}
