/** Labels of one value of a metric. */
export type MetricLabels = Readonly<Record<string, string>>;

/** One value of a metric; `suffix` is for the parts of a histogram, such as `_bucket`. */
export interface MetricSample {
  readonly suffix?: string;
  readonly labels?: MetricLabels;
  readonly value: number;
}

/** A metric with all its values. */
export interface MetricFamily {
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

/** The media type of the text form of Prometheus. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** Writes a metric in the text form of Prometheus (exposition format 0.0.4). */
export function formatMetric({ name, kind, help, samples }: MetricFamily): string {
  const lines = samples.map(
    ({ suffix = "", labels, value }) => `${name}${suffix}${formatLabels(labels)} ${formatValue(value)}\n`,
  );
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${kind}\n${lines.join("")}`;
}

/** Infinity is written `+Inf` there. */
function formatValue(value: number): string {
  return Math.abs(value) === Number.POSITIVE_INFINITY ? (value > 0 ? "+Inf" : "-Inf") : String(value);
}

function formatLabels(labels: MetricLabels = {}): string {
  const pairs = Object.entries(labels).map(([label, word]) => `${label}="${escapeLabel(word)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(word: string): string {
  return word.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
}

/** Help texts do not escape quotes. */
function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** Counts values below upper bounds. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  add(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  /** The buckets of a Prometheus histogram are cumulative. */
  samples(labels: MetricLabels): MetricSample[] {
    let count = 0;
    const buckets = [...this.#counts].map((each, at): MetricSample => {
      count += each;
      const le = this.#bounds[at] === undefined ? "+Inf" : String(this.#bounds[at]);
      return { suffix: "_bucket", labels: { ...labels, le }, value: count };
    });
    return [...buckets, { suffix: "_sum", labels, value: this.#sum }, { suffix: "_count", labels, value: count }];
  }
}
