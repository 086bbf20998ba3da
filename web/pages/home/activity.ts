/** One bar of a picture over time. */
export interface Bucket {
  /** Unix seconds of its beginning. */
  readonly at: number;
  readonly count: number;
}

export interface Activity {
  readonly unit: "minute" | "hour" | "day";
  readonly buckets: readonly Bucket[];
}

const units = [
  ["minute", 60],
  ["hour", 3_600],
  ["day", 86_400],
] as const;

const maxBars = 24;

/**
 * Counts events by hour, up to now; by minute while all of them are of the last minutes, and by day when they go back
 * further than hours can show. What is older than the last bar is left out.
 */
export function countActivity(times: readonly number[], now: number): Activity {
  const oldest = Math.min(now, ...times);
  const [unit, seconds] = units.find(([, length]) => now - oldest < maxBars * length) ?? units[2];
  const last = Math.floor(now / seconds) * seconds;
  const first = last - (maxBars - 1) * seconds;
  const counts = Array.from({ length: maxBars }, () => 0);
  for (const time of times) {
    const at = Math.floor((time - first) / seconds);
    if (at >= 0) counts[Math.min(at, maxBars - 1)] = (counts[Math.min(at, maxBars - 1)] ?? 0) + 1;
  }
  return { unit, buckets: counts.map((count, at) => ({ at: first + at * seconds, count })) };
}
