import { expect, it } from "vitest";
import { EndlessCode } from "../../../src/tvm/engine/EndlessCode.ts";
import { TvmError } from "../../../src/tvm/errors.ts";
import { ManualClock } from "../../kit/ManualClock.ts";

it("a contract rests for a minute after a run that did not end, and others do not", async () => {
  const clock = new ManualClock();
  const code = new EndlessCode(clock);
  const late = () => Promise.reject(new TvmError("tvm/timeout", "late"));
  const quick = async () => 5;
  await expect(code.guard("a", late)).rejects.toMatchObject({ code: "tvm/timeout" });
  await expect(code.guard("a", quick)).rejects.toMatchObject({ code: "tvm/timeout" });
  expect(await code.guard("b", quick)).toBe(5);
  await clock.advance(60_000);
  expect(await code.guard("a", quick)).toBe(5);
});

it("what fails otherwise is run again", async () => {
  const code = new EndlessCode(new ManualClock());
  const broken = () => Promise.reject(new TvmError("tvm/crash", "broken"));
  await expect(code.guard("a", broken)).rejects.toMatchObject({ code: "tvm/crash" });
  expect(await code.guard("a", async () => 5)).toBe(5);
});
