import { expect, it } from "vitest";
import { LoopWatch } from "../../../kit/attacks/LoopWatch.ts";
import { mainThreadCpuMs } from "../../../kit/attacks/mainThreadCpu.ts";

it("measures the longest piece on the loop in CPU time, and starts again after each reading", async () => {
  const watch = new LoopWatch();
  const until = mainThreadCpuMs() + 200;
  while (mainThreadCpuMs() < until);
  expect(watch.takeWorstMs()).toBeGreaterThanOrEqual(190);

  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(watch.takeWorstMs()).toBeLessThan(100);
  watch.stop();
});
