import { describe, expect, it } from "vitest";
import { LibError } from "../../src/lib/errors.ts";
import type { Random } from "../../src/lib/random.ts";
import { backoffMs, type RetryOptions, retry } from "../../src/lib/retry.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

const backoff = { firstMs: 100, factor: 2, maxMs: 250 };
const remote = () => new LibError("lib/deadline", "the other side is slow");
const highest: Random = { bytes: (length) => new Uint8Array(length), next: () => 1, int: () => 0 };

function setUp(failures: readonly unknown[], overrides: Partial<RetryOptions> = {}) {
  const clock = new ManualClock();
  const triedAt: number[] = [];
  const work = async (attempt: number) => {
    triedAt.push(clock.monotonic());
    if (attempt <= failures.length) throw failures[attempt - 1];
    return "done";
  };
  const outcome = retry(work, { clock, random: highest, attempts: 4, backoff, ...overrides });
  return { clock, triedAt, outcome };
}

describe("retrying", () => {
  it("continues until it succeeds, with growing waits up to a limit", async () => {
    const { clock, triedAt, outcome } = setUp([remote(), remote(), remote()]);
    await clock.advance(10_000);
    await expect(outcome).resolves.toBe("done");
    expect(triedAt).toEqual([0, 100, 300, 550]);
  });

  it("throws the last failure after all attempts", async () => {
    const last = remote();
    const { clock, triedAt, outcome } = setUp([remote(), last], { attempts: 2 });
    const refused = expect(outcome).rejects.toBe(last);
    await clock.advance(10_000);
    await refused;
    expect(triedAt).toEqual([0, 100]);
  });

  it("does not retry failures that are not the other side's fault, unless requested", async () => {
    const mine = new LibError("lib/hex", "not hex");
    await expect(setUp([mine]).outcome).rejects.toBe(mine);
    await expect(setUp(["plain"]).outcome).rejects.toBe("plain");
    const { clock, outcome } = setUp(["plain"], { retryIf: (error) => error === "plain" });
    await clock.advance(100);
    await expect(outcome).resolves.toBe("done");
  });

  it("stops waiting when it is aborted and does not start if it already was", async () => {
    const controller = new AbortController();
    const { clock, triedAt, outcome } = setUp([remote(), remote()], { signal: controller.signal });
    const refused = expect(outcome).rejects.toMatchObject({ code: "lib/aborted" });
    await clock.advance(50);
    controller.abort();
    await refused;
    expect([triedAt, clock.waiting]).toEqual([[0], 0]);
    const late = setUp([], { signal: controller.signal });
    await expect(late.outcome).rejects.toMatchObject({ code: "lib/aborted" });
    expect(late.triedAt).toEqual([]);
  });

  it("waits between half and all of the step", () => {
    expect(backoffMs(backoff, 1, { ...highest, next: () => 0 })).toBe(50);
    expect(backoffMs(backoff, 2, highest)).toBe(200);
    expect(backoffMs(backoff, 1000, highest)).toBe(250);
  });
});
