import { Counter, collectDefaultMetrics, Registry } from "prom-client";
import type { LruCounters } from "../lib/lru.ts";
import type { AnswerCache } from "./http/AnswerCache.ts";

/** Upper bounds of the times that are counted together, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface Series {
  readonly labels: string;
  readonly byStatus: Map<number, number>;
  readonly byBound: Float64Array;
  seconds: number;
  bytes: number;
}

/** How a question came in. */
export type Via = "GET" | "POST" | "RPC" | "other";

/**
 * Figures of the requests, kept as plain numbers and written as text only when somebody reads them: the metrics package
 * takes longer to count a request than we take to answer it from the cache.
 */
export class RequestTally {
  readonly #series = new Map<string, Series>();

  add(endpoint: string, via: Via, status: number, seconds: number, bytes: number): void {
    const series = this.#series.get(`${via} ${endpoint}`) ?? this.#open(endpoint, via);
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
    let at = 0;
    while (at < bounds.length && seconds > (bounds[at] ?? 0)) at += 1;
    series.byBound[at] = (series.byBound[at] ?? 0) + 1;
    series.seconds += seconds;
    series.bytes += bytes;
  }

  /** All figures in the text form of Prometheus. */
  format(): string {
    const all = [...this.#series.values()];
    return [
      ...formatFamily("tongate_requests_total", "counter", "Requests answered, by HTTP status.", all, formatCounts),
      ...formatFamily("tongate_request_seconds", "histogram", "Time from request to answer.", all, formatTimes),
      ...formatFamily(
        "tongate_answer_bytes_total",
        "counter",
        "Bytes of answers, before compression.",
        all,
        formatBytes,
      ),
      "",
    ].join("\n");
  }

  #open(endpoint: string, via: Via): Series {
    const labels = `endpoint="${endpoint}",via="${via}"`;
    const byBound = new Float64Array(bounds.length + 1);
    const series: Series = { labels, byStatus: new Map(), byBound, seconds: 0, bytes: 0 };
    this.#series.set(`${via} ${endpoint}`, series);
    return series;
  }
}

function formatFamily(
  name: string,
  type: string,
  help: string,
  all: readonly Series[],
  format: (name: string, series: Series) => string[],
): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...all.flatMap((series) => format(name, series))];
}

function formatCounts(name: string, { labels, byStatus }: Series): string[] {
  return [...byStatus].map(([status, count]) => `${name}{${labels},status="${status}"} ${count}`);
}

function formatTimes(name: string, { labels, byBound, seconds }: Series): string[] {
  let count = 0;
  const buckets = [...byBound].map((each, index) => {
    count += each;
    return `${name}_bucket{${labels},le="${bounds[index] ?? "+Inf"}"} ${count}`;
  });
  return [...buckets, `${name}_sum{${labels}} ${seconds}`, `${name}_count{${labels}} ${count}`];
}

function formatBytes(name: string, { labels, bytes }: Series): string[] {
  return [`${name}{${labels}} ${bytes}`];
}

/** All figures of a server. Parts add theirs to the registry; they are asked when somebody reads. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new RequestTally();
  readonly #refused = new Counter({
    name: "tongate_access_refused_total",
    help: "Requests not let in, by reason.",
    labelNames: ["reason"],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts a request that access did not let in. */
  refused(reason: string): void {
    this.#refused.inc({ reason });
  }

  /** Reports what the answer cache of an API version does. */
  watchCache(version: string, cache: AnswerCache): void {
    const read = (counter: keyof LruCounters) => (): LabelledValues =>
      Object.entries(cache.counters()).map(([kind, counters]) => [{ version, kind }, counters[counter]]);
    for (const name of ["hits", "misses", "evictions"] as const)
      this.#watch("counter", `tongate_answer_cache_${name}_total`, `Answer cache: ${name}.`, read(name));
    for (const name of ["entries", "bytes"] as const)
      this.#watch("gauge", `tongate_answer_cache_${name}`, `Answer cache: ${name}.`, read(name));
  }

  /** Reports a value that goes up and down; `read` is called when somebody reads the metrics. */
  watchGauge(name: string, help: string, read: () => number): void {
    this.#watch("gauge", name, help, () => [[{}, read()]]);
  }

  /** Reports a value that only grows; by convention its name ends with `_total`. */
  watchCounter(name: `${string}_total`, help: string, read: () => number): void {
    this.#watch("counter", name, help, () => [[{}, read()]]);
  }

  /** Reports values that only grow, each by its word under a label. */
  watchCounters(
    name: `${string}_total`,
    help: string,
    label: string,
    read: () => Readonly<Record<string, number>>,
  ): void {
    this.#watch("counter", name, help, () => Object.entries(read()).map(([word, value]) => [{ [label]: word }, value]));
  }

  readonly #watched = new Map<string, Watched>();

  /** Several parts may report under one name, each with labels of its own. */
  #watch(kind: Watched["kind"], name: string, help: string, read: () => LabelledValues): void {
    const reads = [...(this.#watched.get(name)?.reads ?? []), read];
    this.#watched.set(name, { kind, name, help, reads });
  }

  async format(): Promise<string> {
    const watched = [...this.#watched.values()].map(formatWatched).join("");
    return `${await this.registry.metrics()}${watched}${this.requests.format()}`;
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

function formatWatched({ kind, name, help, reads }: Watched): string {
  const lines = reads
    .flatMap((read) => read())
    .map(([labels, value]) => {
      const pairs = Object.entries(labels).map(([label, word]) => `${label}="${escapeLabel(word)}"`);
      return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
    });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join("")}`;
}

function escapeLabel(word: string): string {
  return word.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
}
