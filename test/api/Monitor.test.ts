import { expect, it } from "vitest";
import { Monitor } from "../../src/api/Monitor.ts";
import { Metrics } from "../../src/api/metrics.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

it("computes metrics once for sixteen concurrent requests, and again a moment later", async () => {
  const [metrics, clock] = [new Metrics(), new ManualClock()];
  let reads = 0;
  metrics.watchGauge("tongate_test_reads", "How often the metrics were written.", () => ++reads);
  const monitor = new Monitor({ checks: [], metrics, clock });
  const texts = await Promise.all(Array.from({ length: 16 }, () => monitor.metricsText()));
  expect([reads, new Set(texts).size]).toEqual([1, 1]);
  expect(texts[0]).toContain("tongate_test_reads 1\n");
  await clock.advance(249);
  await monitor.metricsText();
  expect(reads).toBe(1);
  await clock.advance(1);
  expect(await monitor.metricsText()).toContain("tongate_test_reads 2\n");
});
