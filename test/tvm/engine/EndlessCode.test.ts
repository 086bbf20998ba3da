import { expect, it } from "vitest";
import { EndlessCode } from "../../../src/tvm/engine/EndlessCode.ts";
import { TvmError } from "../../../src/tvm/errors.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

it("a contract rests for a minute after three runs that did not end, and others do not", async () => {
  const clock = new ManualClock();
  const code = new EndlessCode(clock);
  const late = () => Promise.reject(new TvmError("tvm/timeout", "late"));
  const quick = async () => 5;
  for (let i = 0; i < 3; i++)
    await expect(code.guard("a", late)).rejects.toMatchObject({ code: "tvm/timeout", message: "late" });
  await expect(code.guard("a", quick)).rejects.toMatchObject({ code: "tvm/timeout" });
  expect(await code.guard("b", quick)).toBe(5);
  await clock.advance(60_000);
  expect(await code.guard("a", quick)).toBe(5);
});

it("a contract that is late now and then does not rest", async () => {
  const code = new EndlessCode(new ManualClock());
  const late = () => Promise.reject(new TvmError("tvm/timeout", "late"));
  for (let i = 0; i < 8; i++) {
    await expect(code.guard("a", late)).rejects.toMatchObject({ code: "tvm/timeout", message: "late" });
    expect(await code.guard("a", async () => i)).toBe(i);
  }
});

it("what fails otherwise is run again", async () => {
  const code = new EndlessCode(new ManualClock());
  const broken = () => Promise.reject(new TvmError("tvm/crash", "broken"));
  await expect(code.guard("a", broken)).rejects.toMatchObject({ code: "tvm/crash" });
  expect(await code.guard("a", async () => 5)).toBe(5);
});
