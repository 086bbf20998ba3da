import { useState } from "preact/hooks";
import { v2 } from "../../api/ask.ts";
import { askContract, describeExitOf } from "../../api/contract.ts";
import type { Transaction } from "../../api/types.ts";
import { useAsk } from "../../api/useAsk.ts";
import { formatCount } from "../../format/coins.ts";
import { later } from "../../parts/later.tsx";
import { Await, Empty, Facts, Panel } from "../../parts/Panel.tsx";
import { Badge } from "../../parts/values.tsx";
import { MethodGas } from "./MethodGas.tsx";
import { briefValue, type Replayed, Steps } from "./Steps.tsx";

const size = 100;

/** Where in the run the reader is: the page of steps, and the step whose stack is shown. */
interface Position {
  readonly from: number;
  readonly step: number | undefined;
  /** The page begins at the next of these lines. */
  readonly stopAt?: string;
}

const Debugger = later(() => import("../../contract/Debugger.tsx").then((module) => module.Debugger));

/** Runs the transaction again on the state before it, and shows the run step by step. */
export function Replay({ transaction }: { readonly transaction: Transaction }) {
  const [position, setPosition] = useState<Position>();
  const [breaks, setBreaks] = useState<readonly string[]>([]);
  const { account: address, lt, hash } = transaction;
  const contract = useAsk(position === undefined ? undefined : askContract(address));
  const source = contract.kind === "ok" ? contract.data.source : null;
  const place = { from: position?.from ?? 0, limit: size };
  const lines = { source: true, ...(position?.stopAt !== undefined && { break: position.stopAt }) };
  const ask = v2("replayTransaction", { address, lt, hash, ...place, ...(source !== null && lines) });
  const loaded = useAsk(contract.kind === "ok" || contract.kind === "failed" ? ask : undefined);
  return (
    <Panel
      title="Replay"
      from={[ask]}
      note="Runs the transaction again on the proved state before it, and compares the result with the chain."
    >
      {position === undefined ? (
        <button type="button" class="primary" onClick={() => setPosition({ from: 0, step: undefined })}>
          Run it again
        </button>
      ) : (
        <Await of={loaded}>
          {(replayed) => (
            <Run
              replayed={replayed}
              account={address}
              source={source}
              position={position}
              onMove={setPosition}
              breaks={breaks}
              onBreaks={setBreaks}
            />
          )}
        </Await>
      )}
    </Panel>
  );
}

interface RunProps {
  readonly replayed: Replayed;
  readonly account: string;
  readonly source: string | null;
  readonly position: Position;
  readonly onMove: (position: Position) => void;
  readonly breaks: readonly string[];
  readonly onBreaks: (breaks: readonly string[]) => void;
}

function Run({ replayed, account, source, position, onMove, breaks, onBreaks }: RunProps) {
  const { steps, total_steps: total, gas_by_line: lines, gas_by_stack: stacks } = replayed;
  const isStopped = position.stopAt !== undefined;
  const from = isStopped ? (steps[0]?.index ?? 0) : position.from;
  const chosen = isStopped ? steps[0]?.index : position.step;
  const show = (step: number) => onMove({ from: Math.floor(step / size) * size, step });
  const stop = () =>
    onMove({ from: chosen === undefined ? from : chosen + 1, step: undefined, stopAt: breaks.join(",") });
  return (
    <>
      <Verdict replayed={replayed} account={account} />
      {source !== null && lines.length > 0 && (
        <Debugger
          source={source}
          current={findLine(replayed, chosen ?? from)}
          gasByLine={lines}
          gasByStack={stacks}
          breaks={breaks}
          onBreaks={onBreaks}
          onNext={stop}
          onExit={() => show(total - 1)}
        />
      )}
      {steps.length === 0 ? (
        <NoSteps isStopped={isStopped} onFirst={() => onMove({ from: 0, step: undefined })} />
      ) : (
        <Steps
          replayed={replayed}
          size={size}
          from={from}
          chosen={chosen}
          onChoose={show}
          onMove={(to) => onMove({ from: Math.max(0, to), step: undefined })}
        />
      )}
    </>
  );
}

/** The line of a step of the page, with the values of its variables. */
function findLine({ steps }: Replayed, index: number) {
  const step = steps.find((each) => each.index === index);
  if (step === undefined || step.source === null) return undefined;
  const { file, line, variables } = step.source;
  const values = variables.flatMap(({ name, depth }) => {
    const value = step.stack.at(-1 - depth);
    return value === undefined ? [] : [[name, briefValue(value)] as const];
  });
  return { step: index, file, line, variables: values };
}

function NoSteps({ isStopped, onFirst }: { readonly isStopped: boolean; readonly onFirst: () => void }) {
  if (!isStopped) return <Empty>No code ran.</Empty>;
  return (
    <p role="status">
      The run reaches no further breakpoint.{" "}
      <button type="button" onClick={onFirst}>
        Go to the first step
      </button>
    </p>
  );
}

function Verdict({ replayed, account }: { readonly replayed: Replayed; readonly account: string }) {
  const { is_equal: isEqual, reason, exit_code: exitCode, gas_used: gas, gas_by_family: families } = replayed;
  const listed = families.map(({ family, gas: own }) => `${family} ${formatCount(own)}`).join(", ");
  return (
    <Facts
      facts={[
        [
          "Result",
          <>
            <Badge tone={isEqual ? "good" : "bad"}>{isEqual ? "equal" : "different"}</Badge>{" "}
            {isEqual ? "The run gives the same transaction hash." : (reason ?? "The run gives another hash.")}
          </>,
        ],
        exitCode !== null && ["Exit code", describeExitOf(account, exitCode)],
        ["Steps", formatCount(replayed.total_steps)],
        replayed.gas_by_method.length > 0 && [
          "Gas by method",
          <MethodGas key="methods" account={account} replayed={replayed} />,
          "What the code of each method used",
        ],
        ["Gas", `${formatCount(gas)}${listed === "" ? "" : `: ${listed}`}`, "By family of instructions"],
      ]}
    />
  );
}
