import type { LruCounters } from "../lib/lru.ts";
import { formatMetric, Histogram, type MetricFamily, type MetricSample } from "../lib/process/metricsText.ts";
import { ProcessMetrics } from "../lib/process/ProcessMetrics.ts";

/** Upper bounds of the histogram buckets, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Series {
  readonly labels: { readonly endpoint: string; readonly via: Via };
  readonly byStatus: Map<number, number>;
  readonly times: Histogram;
  bytes: number;
}

/** The kind of a request. */
export type Via = "GET" | "POST" | "RPC" | "other";

/** Request metrics, kept as numbers and formatted only when they are read. */
export class RequestTally {
  readonly #series = new Map<string, Series>();
  #total = 0;

  /** Requests answered so far. */
  get total(): number {
    return this.#total;
  }

  add(endpoint: string, via: Via, status: number, seconds: number, bytes: number): void {
    const series = this.#series.get(`${via} ${endpoint}`) ?? this.#open(endpoint, via);
    this.#total += 1;
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
    series.times.add(seconds);
    series.bytes += bytes;
  }

  read(): MetricFamily[] {
    const all = [...this.#series.values()];
    const counts = all.flatMap(({ labels, byStatus }) =>
      [...byStatus].map(([status, value]): MetricSample => ({ labels: { ...labels, status: `${status}` }, value })),
    );
    return [
      {
        name: "tongate_requests_total",
        kind: "counter",
        help: "Requests answered, by HTTP status.",
        samples: counts,
      },
      {
        name: "tongate_request_seconds",
        kind: "histogram",
        help: "Time from request to answer.",
        samples: all.flatMap(({ labels, times }) => times.samples(labels)),
      },
      {
        name: "tongate_answer_bytes_total",
        kind: "counter",
        help: "Bytes of answers, before compression.",
        samples: all.map(({ labels, bytes }) => ({ labels, value: bytes })),
      },
    ];
  }

  #open(endpoint: string, via: Via): Series {
    const series: Series = { labels: { endpoint, via }, byStatus: new Map(), times: new Histogram(bounds), bytes: 0 };
    this.#series.set(`${via} ${endpoint}`, series);
    return series;
  }
}

/** All metrics of a server. Parts add theirs; values are read when the text is requested. */
export class Metrics {
  readonly requests = new RequestTally();
  readonly #process = new ProcessMetrics();
  readonly #refused = new Map<string, number>();

  /** Counts a request rejected by access control. */
  refused(reason: string): void {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  }

  /** The metrics of an API version's answer cache. */
  watchCache(version: string, cache: { counters(): Readonly<Record<string, LruCounters>> }): void {
    const read = (counter: keyof LruCounters) => (): LabelledValues =>
      Object.entries(cache.counters()).map(([kind, counters]) => [{ version, kind }, counters[counter]]);
    for (const name of ["hits", "misses", "evictions"] as const)
      this.#watch("counter", `tongate_answer_cache_${name}_total`, `Answer cache: ${name}.`, read(name));
    for (const name of ["entries", "bytes"] as const)
      this.#watch("gauge", `tongate_answer_cache_${name}`, `Answer cache: ${name}.`, read(name));
  }

  /** Adds a gauge; `read` is called when the metrics are read. */
  watchGauge(name: string, help: string, read: () => number): void {
    this.#watch("gauge", name, help, () => [[{}, read()]]);
  }

  /** Reports a value that only grows; by convention its name ends with `_total`. */
  watchCounter(name: `${string}_total`, help: string, read: () => number): void {
    this.#watch("counter", name, help, () => [[{}, read()]]);
  }

  /** Adds counters, one for each value of a label. */
  watchCounters(
    name: `${string}_total`,
    help: string,
    label: string,
    read: () => Readonly<Record<string, number>>,
  ): void {
    this.#watch("counter", name, help, () => Object.entries(read()).map(([word, value]) => [{ [label]: word }, value]));
  }

  readonly #watched = new Map<string, Watched>();

  /** Several parts may use one name, each with its own labels. */
  #watch(kind: Watched["kind"], name: string, help: string, read: () => LabelledValues): void {
    const reads = [...(this.#watched.get(name)?.reads ?? []), read];
    this.#watched.set(name, { kind, name, help, reads });
  }

  /** All metrics in the text form of Prometheus. */
  async format(): Promise<string> {
    const refused: MetricFamily = {
      name: "tongate_access_refused_total",
      kind: "counter",
      help: "Refused requests, by reason.",
      samples: [...this.#refused].map(([reason, value]) => ({ labels: { reason }, value })),
    };
    const watched = [...this.#watched.values()].map(readWatched);
    return [...(await this.#process.read()), refused, ...watched, ...this.requests.read()].map(formatMetric).join("");
  }
}

type LabelledValues = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** A metric whose value another part keeps. */
interface Watched {
  readonly kind: "counter" | "gauge";
  readonly name: string;
  readonly help: string;
  readonly reads: readonly (() => LabelledValues)[];
}

function readWatched({ kind, name, help, reads }: Watched): MetricFamily {
  const samples = reads.flatMap((read) => read()).map(([labels, value]) => ({ labels, value }));
  return { kind, name, help, samples };
}
