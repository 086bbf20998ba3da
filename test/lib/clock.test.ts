import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";

describe("the system clock", () => {
  it("reports the machine's time and never goes back", () => {
    const before = Date.now();
    const reported = systemClock.now();
    expect([before <= Math.ceil(reported), Math.floor(reported) <= Date.now()]).toEqual([true, true]);
    const first = systemClock.monotonic();
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(first);
  });

  it("fires a timer after the call that set it, and not after it is cancelled", async () => {
    const fired: string[] = [];
    systemClock.timer(0, () => fired.push("first"));
    const cancel = systemClock.timer(0, () => fired.push("cancelled"));
    cancel();
    cancel();
    expect(fired).toEqual([]);
    await systemClock.sleep(5);
    expect(fired).toEqual(["first"]);
  });

  it("does not fire at once for a delay above the platform's limit", async () => {
    const fired: string[] = [];
    const cancel = systemClock.timer(2 ** 40, () => fired.push("too early"));
    await systemClock.sleep(5);
    cancel();
    expect(fired).toEqual([]);
  });

  it("never passes a negative delay to the platform", async () => {
    const platform = vi.spyOn(globalThis, "setTimeout");
    await systemClock.sleep(-0.5);
    const delaysMs = platform.mock.calls.map(([, delayMs]) => delayMs ?? 0);
    expect(delaysMs).toContain(0);
    expect(delaysMs.filter((delayMs) => delayMs < 0)).toEqual([]);
    platform.mockRestore();
  });

  it("ends a sleep with the coded reason when its signal aborts", async () => {
    const controller = new AbortController();
    const sleep = systemClock.sleep(60_000, controller.signal);
    controller.abort("enough");
    await expect(sleep).rejects.toMatchObject({ code: "lib/aborted", cause: "enough" });
    await expect(systemClock.sleep(60_000, controller.signal)).rejects.toMatchObject({ code: "lib/aborted" });
  });
});
