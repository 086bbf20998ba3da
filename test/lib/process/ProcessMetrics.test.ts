import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { ProcessMetrics } from "../../../src/lib/process/ProcessMetrics.ts";

it("reads processor time, memory, the delay of the event loop and garbage collections of this process", async () => {
  const metrics = new ProcessMetrics();
  const names = (await metrics.read()).map(({ name }) => name);
  expect(names).toEqual([
    "process_cpu_user_seconds_total",
    "process_cpu_system_seconds_total",
    "process_cpu_seconds_total",
    "process_start_time_seconds",
    "process_resident_memory_bytes",
    ...(process.platform === "linux" ? ["process_open_fds", "process_max_fds"] : []),
    "nodejs_heap_size_total_bytes",
    "nodejs_heap_size_used_bytes",
    "nodejs_external_memory_bytes",
    "nodejs_heap_space_size_used_bytes",
    "nodejs_version_info",
    "nodejs_eventloop_lag_min_seconds",
    "nodejs_eventloop_lag_max_seconds",
    "nodejs_eventloop_lag_mean_seconds",
    "nodejs_eventloop_lag_p50_seconds",
    "nodejs_eventloop_lag_p90_seconds",
    "nodejs_eventloop_lag_p99_seconds",
    "nodejs_gc_duration_seconds",
  ]);
  const read = async (name: string) => (await metrics.read()).find((family) => family.name === name)?.samples ?? [];
  const [started] = await read("process_start_time_seconds");
  expect(Math.abs((started?.value ?? 0) - (Date.now() / 1000 - process.uptime()))).toBeLessThan(2);
  const [memory] = await read("process_resident_memory_bytes");
  expect(memory?.value).toBeGreaterThan(1e7);
  const values = (await metrics.read()).flatMap(({ samples }) => samples.map(({ value }) => value));
  expect(values.filter((value) => !Number.isFinite(value) || value < 0)).toEqual([]);
  // Garbage triggers the collector, which is reported a moment later.
  const isCollected = async () => {
    Array.from({ length: 200_000 }, (_, at) => ({ at }));
    return (await read("nodejs_gc_duration_seconds")).length > 0;
  };
  await expect.poll(isCollected, { timeout: 300_000 }).toBe(true);
});

it("measures the delay of the event loop between two reads, and not before the first", async () => {
  const metrics = new ProcessMetrics();
  const readMax = async () =>
    (await metrics.read()).find(({ name }) => name === "nodejs_eventloop_lag_max_seconds")?.samples[0]?.value;
  const block = (ms: number) => {
    for (const endsAt = performance.now() + ms; performance.now() < endsAt; );
  };
  await sleep(50);
  block(100);
  await sleep(1);
  expect(await readMax()).toBe(0);
  await sleep(50);
  block(100);
  await sleep(1);
  expect(await readMax()).toBeGreaterThan(0.05);
});
