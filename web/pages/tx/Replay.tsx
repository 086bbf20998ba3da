import { useState } from "preact/hooks";
import { v2 } from "../../api/ask.ts";
import { describeExitOf } from "../../api/contract.ts";
import type { Transaction } from "../../api/types.ts";
import { useAsk } from "../../api/useAsk.ts";
import { formatCount } from "../../format/coins.ts";
import { Await, Empty, Facts, Panel } from "../../parts/Panel.tsx";
import { Badge } from "../../parts/values.tsx";
import { MethodGas } from "./MethodGas.tsx";
import { type Replayed, Steps } from "./Steps.tsx";

const size = 100;

/** Where in the run the reader is: the page of steps, and the step whose stack is shown. */
interface Position {
  readonly from: number;
  readonly step: number | undefined;
}

/** Runs the transaction again on the state before it, and shows the run step by step. */
export function Replay({ transaction }: { readonly transaction: Transaction }) {
  const [position, setPosition] = useState<Position>();
  const { account: address, lt, hash } = transaction;
  const ask = v2("replayTransaction", { address, lt, hash, from: position?.from ?? 0, limit: size });
  const loaded = useAsk(position === undefined ? undefined : ask);
  const show = (step: number) => setPosition({ from: Math.floor(step / size) * size, step });
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
            <>
              <Verdict replayed={replayed} account={address} />
              {replayed.total_steps === 0 ? (
                <Empty>No code ran.</Empty>
              ) : (
                <Steps
                  replayed={replayed}
                  size={size}
                  from={position.from}
                  chosen={position.step}
                  onChoose={show}
                  onMove={(from) => setPosition({ from, step: undefined })}
                />
              )}
            </>
          )}
        </Await>
      )}
    </Panel>
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
