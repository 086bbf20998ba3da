import { useEffect, useState } from "preact/hooks";
import { get, readPlain } from "../api/ask.ts";
import { useAsk } from "../api/useAsk.ts";
import { formatCount } from "../format/coins.ts";
import { LineChart, type Point } from "../parts/Chart.tsx";
import { Await, Empty, Facts, Panel } from "../parts/Panel.tsx";
import { Badge, useNow } from "../parts/values.tsx";
import { type Metrics, readMetrics, sumOf } from "./status/metrics.ts";

interface Readiness {
  readonly ready: boolean;
  readonly stopping: boolean;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail: string }>>;
}

const askMetrics = get("/metrics", undefined, readPlain<unknown>);
const askReady = get("/readyz", undefined, readPlain<Readiness>);
const everyMs = 2_000;
const maxPoints = 150;

interface Sample {
  readonly at: number;
  readonly metrics: Metrics;
}

/** The health of the server, and its metrics while the page is open. */
export function Status() {
  const version = Math.floor(useNow() / 2);
  const readiness = useAsk(askReady, version);
  const { samples, failure } = useSamples();
  return (
    <>
      <h1>Status</h1>
      <Panel title="Readiness" from={[askReady]}>
        <Await of={readiness}>{(data) => <Checks readiness={data} />}</Await>
      </Panel>
      <Panel
        title="Requests and index"
        from={[askMetrics]}
        note="Since this page was opened; read from /metrics every two seconds."
      >
        {failure !== undefined ? <Empty>{failure}</Empty> : <Charts samples={samples} />}
      </Panel>
    </>
  );
}

function Checks({ readiness }: { readonly readiness: Readiness }) {
  return (
    <>
      <p class="lead">
        <Badge tone={readiness.ready ? "good" : "bad"}>
          {readiness.ready ? "ready" : readiness.stopping ? "stopping" : "not ready"}
        </Badge>
      </p>
      <Facts
        facts={Object.entries(readiness.checks).map(([name, { ok, detail }]) => [
          name.charAt(0).toUpperCase() + name.slice(1),
          <span key={name}>
            <Badge tone={ok ? "good" : "bad"}>{ok ? "ok" : "failing"}</Badge> {detail}
          </span>,
        ])}
      />
    </>
  );
}

/** Metrics of the server, sampled every two seconds while the page is open. */
function useSamples(): { readonly samples: readonly Sample[]; readonly failure: string | undefined } {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    const take = async () => {
      const response = await fetch(askMetrics.path, { signal: controller.signal });
      if (!response.ok) {
        setFailure("This server does not publish its metrics on this port (see --metrics).");
        return;
      }
      const sample = { at: Date.now() / 1000, metrics: readMetrics(await response.text()) };
      setSamples((former) => [...former, sample].slice(-maxPoints));
    };
    // The readiness above shows that the server does not answer.
    const tick = () => void take().catch(() => undefined);
    tick();
    const timer = setInterval(tick, everyMs);
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, []);
  return { samples, failure };
}

function Charts({ samples }: { readonly samples: readonly Sample[] }) {
  const newest = samples[samples.length - 1];
  if (newest === undefined) return <p class="muted">Loading…</p>;
  const { metrics } = newest;
  const hits = sumOf(metrics, "tongate_answer_cache_hits");
  const asked = hits + sumOf(metrics, "tongate_answer_cache_misses");
  return (
    <>
      <div class="columns">
        <LineChart points={ratesOf(samples, "tongate_requests_total")} label="Requests" unit="a second" />
        <LineChart
          points={valuesOf(samples, "tongate_index_lag_seconds")}
          label="Index behind the chain"
          unit="seconds"
        />
      </div>
      <Facts
        facts={[
          ["Newest block", formatCount(sumOf(metrics, "tongate_head_seqno"))],
          ["Indexed block", formatCount(sumOf(metrics, "tongate_index_seqno"))],
          ["Requests so far", formatCount(sumOf(metrics, "tongate_requests_total"))],
          ["Answers from cache", asked === 0 ? "none yet" : `${Math.round((hits / asked) * 100)} %`],
          [
            "Predicted traces",
            formatCount(sumOf(metrics, "tongate_pending_traces")),
            "Messages that were sent and are not in a block yet",
          ],
          ["Memory", `${formatCount(Math.round(sumOf(metrics, "process_resident_memory_bytes") / 1_000_000))} MB`],
        ]}
      />
    </>
  );
}

function valuesOf(samples: readonly Sample[], name: string): Point[] {
  return samples.map(({ at, metrics }) => ({ at, value: sumOf(metrics, name) }));
}

/** How fast a counter grows between two samples. */
function ratesOf(samples: readonly Sample[], name: string): Point[] {
  return samples.slice(1).flatMap((sample, at) => {
    const former = samples[at];
    if (former === undefined) return [];
    const grown = sumOf(sample.metrics, name) - sumOf(former.metrics, name);
    return [{ at: sample.at, value: Math.max(0, grown / Math.max(0.1, sample.at - former.at)) }];
  });
}
