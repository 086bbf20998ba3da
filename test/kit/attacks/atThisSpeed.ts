import { mainThreadCpuMs } from "../../../kit/attacks/mainThreadCpu.ts";

/** What the work below takes on the machine at which the limits were measured, when nothing else runs there. */
const usualMs = 10;

/** Work of the kind that a server does: text, small objects, numbers. */
function work(): number {
  let sum = 0;
  for (let i = 0; i < 6_000; i++) {
    const row = { id: i, name: `row ${i * 7}`, parts: [i, i >> 1, i >> 2] };
    const read: typeof row = JSON.parse(JSON.stringify(row));
    sum = (sum * 31 + read.parts.length + read.name.charCodeAt(4)) | 0;
  }
  return sum;
}

/**
 * What a piece of work may take here and now whose rule names so many milliseconds. Machines differ, and one machine
 * differs by the hour, so that a limit in milliseconds alone says nothing: the same fixed work tells how fast this one
 * is at this moment. The rule is allowed twice, because a collection of garbage or a neighbour of the core falls into
 * some pieces; work that was not divided takes many times as long. Benchmarks hold the rule itself.
 */
export function atThisSpeed(ms: number): number {
  work();
  const times = Array.from({ length: 3 }, () => {
    const before = mainThreadCpuMs();
    work();
    return mainThreadCpuMs() - before;
  });
  return 2 * ms * Math.max(1, Math.max(...times) / usualMs);
}
