import { expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { openExecutor } from "../../src/tvm/run/openExecutor.ts";
import { readFixtureChain } from "../kit/model/fixtureChain.ts";
import { checkReruns } from "../kit/tvm/checkReruns.ts";
import { rerunChain } from "../kit/tvm/rerunChain.ts";

it("the transactions of a recorded chain are reproduced", async () => {
  const executor = await openExecutor({}, { clock: systemClock });
  const reruns = await rerunChain(readFixtureChain("chain"), executor);
  checkReruns(reruns);
  expect(new Set(reruns.map(({ transaction }) => transaction.description.kind))).toEqual(
    new Set(["ordinary", "tickTock"]),
  );
  await executor.close();
});
