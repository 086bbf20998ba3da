import { describe, expect, it } from "vitest";
import { decodeAhead } from "../../../../src/history/ingest/decode/decodeAhead.ts";
import { flushPromises } from "../../../kit/suite/ManualClock.ts";

async function* count(to: number, log: string[]): AsyncGenerator<number, void, void> {
  try {
    for (let n = 1; n <= to; n++) {
      log.push(`given ${n}`);
      yield n;
    }
  } finally {
    log.push("ended");
  }
}

describe("values decoded ahead of their consumer", () => {
  it("come in order, with a limited queue", async () => {
    const log: string[] = [];
    const taken: number[] = [];
    for await (const value of decodeAhead(count(5, log), 2, (n) => n * 10)) {
      await flushPromises();
      // The current one and the two in the queue.
      expect(log.filter((line) => line !== "ended").length).toBeLessThanOrEqual(taken.length + 3);
      taken.push(value);
    }
    expect(taken).toEqual([10, 20, 30, 40, 50]);
  });

  it("are no longer made when the consumer leaves", async () => {
    const log: string[] = [];
    for await (const value of decodeAhead(count(100, log), 3, (n) => n)) if (value === 2) break;
    await flushPromises();
    expect(log.at(-1)).toBe("ended");
    expect(log.length).toBeLessThan(10);
  });

  it("end with a failure in its turn, not before", async () => {
    const taken: number[] = [];
    const failure = new Error("three");
    const taking = (async () => {
      const values = decodeAhead(count(5, []), 4, (n) => {
        if (n === 3) throw failure;
        return n;
      });
      for await (const value of values) {
        await flushPromises();
        taken.push(value);
      }
    })();
    await expect(taking).rejects.toBe(failure);
    expect(taken).toEqual([1, 2]);
  });
});
