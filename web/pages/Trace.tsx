import { type Ask, v3 } from "../api/ask.ts";
import { useHead } from "../api/live.ts";
import type { Trace as TraceData } from "../api/types.ts";
import { useAsk } from "../api/useAsk.ts";
import { useErrorWords } from "../api/useErrorWords.ts";
import { formatCount } from "../format/coins.ts";
import { parseHash } from "../format/hash.ts";
import { formatSpan } from "../format/time.ts";
import { Await, Empty, Facts, Panel } from "../parts/Panel.tsx";
import { Story } from "../parts/Sentence.tsx";
import { Badge, HashText, Moment } from "../parts/values.tsx";
import { TraceView } from "../trace/TraceView.tsx";
import { ValueFlow } from "../trace/ValueFlow.tsx";
import type { PageProps } from "./PageProps.ts";

/** A whole trace: everything that one message caused. */
export function Trace({ params: [given = ""] }: PageProps) {
  const hash = parseHash(given);
  const ask = hash === undefined ? undefined : v3("traces", { trace_id: [hash], include_actions: true, limit: 1 });
  const { seqno } = useHead();
  const first = useAsk(ask);
  const isOpen = first.kind === "ok" && first.data.traces[0]?.trace_info.trace_state !== "complete";
  const again = useAsk(isOpen ? ask : undefined, seqno);
  return (
    <>
      <h1>Trace</h1>
      {hash === undefined ? (
        <p class="failure">This is not the hash of a trace: {given.slice(0, 100)}</p>
      ) : (
        <Await of={isOpen ? again : first}>
          {({ traces: [trace] }) =>
            trace === undefined ? (
              <Empty>There is no such trace in the index.</Empty>
            ) : (
              <Found trace={trace} from={ask} />
            )
          }
        </Await>
      )}
    </>
  );
}

const states: Readonly<Record<string, string>> = {
  complete: "complete",
  pending: "messages are still pending",
  broken: "a part is missing",
};

function Found({ trace, from }: { readonly trace: TraceData; readonly from: Ask<unknown> | undefined }) {
  const { trace_info: info, actions = [] } = trace;
  const words = useErrorWords(Object.values(trace.transactions ?? {}));
  const end = trace.end_utime ?? trace.start_utime;
  return (
    <>
      <Panel title="What happened" from={[from]}>
        <Story actions={actions} />
        <Facts
          facts={[
            [
              "State",
              <Badge key="state" tone={info.trace_state === "complete" ? "good" : "warn"}>
                {states[info.trace_state] ?? info.trace_state}
              </Badge>,
            ],
            ["Size", `${formatCount(info.transactions)} transactions, ${formatCount(info.messages)} messages`],
            ["Began", <Moment key="began" at={trace.start_utime} />],
            ["Took", end === trace.start_utime ? "less than a second" : formatSpan(end - trace.start_utime)],
            ["Hash", <HashText key="hash" hash={trace.trace_id} isFull />, "The hash of its first transaction"],
          ]}
        />
      </Panel>
      <Panel
        title="Trace"
        from={[from, ...words]}
        note="Transactions are boxes, messages are arrows. Choose a box to read about it."
      >
        {trace.trace === undefined || trace.transactions === undefined ? (
          <Empty>{trace.warning ?? "The trace is not complete yet."}</Empty>
        ) : (
          <TraceView trace={trace.trace} transactions={trace.transactions} actions={actions} />
        )}
      </Panel>
      {trace.trace_id !== null && <ValueFlow traceId={trace.trace_id} />}
    </>
  );
}
