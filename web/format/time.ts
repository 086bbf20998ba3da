/** A time in the user's time zone: `2026-11-15 18:02:26`. */
export function formatMoment(unix: number): string {
  const date = new Date(unix * 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

const steps: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
];

/** A duration in one unit: `3 minutes`. */
export function formatSpan(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds));
  const [size, name] = steps.find(([each]) => whole >= each) ?? [1, "second"];
  const count = Math.floor(whole / size);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** How long ago or how far ahead a time is. */
export function formatAge(unix: number, nowUnix: number): string {
  const seconds = nowUnix - unix;
  if (Math.abs(seconds) < 1) return "now";
  return seconds < 0 ? `in ${formatSpan(seconds)}` : `${formatSpan(seconds)} ago`;
}
