/** The measured latency of a server; a value, updates return a new one. */
export interface Latency {
  /** The last measured times, oldest first. */
  readonly samples: readonly number[];
  /** Rises immediately with a slow answer and decays slowly, so that a slow server is avoided at once. */
  readonly averageMs: number | undefined;
  readonly measuredMs: number;
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
  /** The number of samples since the percentiles were computed. */
  readonly unsorted: number;
}

const maxSamples = 64;
/** Sorting at every answer would cost more than the percentiles are worth. */
const sortEvery = 8;
/** The time in which a peak decays to about a third. */
const sinkMs = 2_000;

export const noLatency: Latency = {
  samples: [],
  averageMs: undefined,
  measuredMs: 0,
  p50Ms: undefined,
  p95Ms: undefined,
  unsorted: 0,
};

/** An answer came after `ms`. */
export function addSample(latency: Latency, ms: number, nowMs: number): Latency {
  const samples = latency.samples.length < maxSamples ? latency.samples.slice() : latency.samples.slice(1);
  samples.push(ms);
  const averageMs = sunk(latency, ms, nowMs);
  const unsorted = latency.unsorted + 1;
  if (samples.length > sortEvery && unsorted < sortEvery) {
    const { p50Ms, p95Ms } = latency;
    return { samples, averageMs, measuredMs: nowMs, p50Ms, p95Ms, unsorted };
  }
  const sorted = [...samples].sort((a, b) => a - b);
  const [p50Ms, p95Ms] = [percentile(sorted, 0.5), percentile(sorted, 0.95)];
  return { samples, averageMs, measuredMs: nowMs, p50Ms, p95Ms, unsorted: 0 };
}

/** No answer for `ms`: the final time is unknown, so only the average is updated. */
export function addUnanswered(latency: Latency, ms: number, nowMs: number): Latency {
  return ms > (latency.averageMs ?? 0) ? { ...latency, averageMs: ms, measuredMs: nowMs } : latency;
}

function sunk({ averageMs, measuredMs }: Latency, ms: number, nowMs: number): number {
  if (averageMs === undefined || ms >= averageMs) return ms;
  const keep = Math.exp(-Math.max(nowMs - measuredMs, 0) / sinkMs);
  return averageMs * keep + ms * (1 - keep);
}

/** The smallest value that this share of all values does not exceed. */
function percentile(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.max(Math.ceil(sorted.length * part) - 1, 0)];
}
