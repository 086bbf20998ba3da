import { describe, expect, it } from "vitest";
import { Inflight } from "../../src/lib/inflight.ts";
import { flushPromises } from "../kit/suite/ManualClock.ts";

/** Work that ends on request and records how it was called. */
class SlowCall {
  started = 0;
  readonly aborted: unknown[] = [];
  #end: ((answer: string) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  readonly ask = (signal: AbortSignal): Promise<string> => {
    this.started += 1;
    signal.addEventListener("abort", () => this.aborted.push(signal.reason));
    return new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
  };

  end(answer: string): void {
    this.#end?.(answer);
  }

  fail(error: Error): void {
    this.#fail?.(error);
  }
}

describe("calls in flight", () => {
  it("are deduplicated if identical, and nothing is kept after the answer", async () => {
    const inflight = new Inflight<string, string>();
    const call = new SlowCall();
    const all = Array.from({ length: 100 }, () => inflight.share("key", call.ask));
    await flushPromises();
    expect([call.started, inflight.size]).toEqual([1, 1]);
    call.end("answer");
    expect(new Set(await Promise.all(all))).toEqual(new Set(["answer"]));
    expect(inflight.size).toBe(0);
    const next = inflight.share("key", call.ask);
    expect(call.started).toBe(2);
    call.end("fresh");
    await expect(next).resolves.toBe("fresh");
  });

  it("stay separate if their keys differ", () => {
    const inflight = new Inflight<string, string>();
    const call = new SlowCall();
    void inflight.share("one", call.ask);
    void inflight.share("two", call.ask);
    expect([call.started, inflight.size]).toEqual([2, 2]);
  });

  it("fail for all waiting callers, also if the work fails at once", async () => {
    const inflight = new Inflight<string, string>();
    const call = new SlowCall();
    const both = [inflight.share("key", call.ask), inflight.share("key", call.ask)];
    call.fail(new Error("no answer"));
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const throwing = () => {
      throw new Error("at once");
    };
    await expect(inflight.share("key", throwing)).rejects.toThrow("at once");
    expect(inflight.size).toBe(0);
  });

  it("continue for the others when one caller leaves", async () => {
    const inflight = new Inflight<string, string>();
    const call = new SlowCall();
    const leaver = new AbortController();
    const left = inflight.share("key", call.ask, leaver.signal);
    const stays = inflight.share("key", call.ask, new AbortController().signal);
    leaver.abort();
    await expect(left).rejects.toMatchObject({ code: "lib/aborted" });
    call.end("answer");
    await expect(stays).resolves.toBe("answer");
    expect(call.aborted).toEqual([]);
  });

  it("are cancelled when all callers have left, and the next caller starts new work", async () => {
    const inflight = new Inflight<string, string>();
    const old = new SlowCall();
    const fresh = new SlowCall();
    const leavers = [new AbortController(), new AbortController()];
    const left = leavers.map(({ signal }) => inflight.share("key", old.ask, signal));
    for (const leaver of leavers) leaver.abort();
    await Promise.allSettled(left);
    expect(old.aborted).toHaveLength(1);
    const next = inflight.share("key", fresh.ask);
    old.fail(new Error("ended by its signal"));
    await flushPromises();
    expect(inflight.size).toBe(1);
    fresh.end("answer");
    await expect(next).resolves.toBe("answer");
  });

  it("do not start for a caller that has already left", async () => {
    const call = new SlowCall();
    const gone = new Inflight<string, string>().share("key", call.ask, AbortSignal.abort());
    await expect(gone).rejects.toMatchObject({ code: "lib/aborted" });
    expect(call.started).toBe(0);
  });
});
