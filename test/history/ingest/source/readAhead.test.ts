import { describe, expect, it } from "vitest";
import { readAhead } from "../../../../src/history/ingest/source/readAhead.ts";
import { LiteError } from "../../../../src/lite/errors.ts";
import { noEnd } from "../../../kit/history/ingestStage.ts";

/** Work that a test finishes manually, in any order. */
function stage() {
  const waiting = new Map<number, { resolve: (value: number) => void; reject: (error: Error) => void }>();
  const signals: AbortSignal[] = [];
  const work = (number: number, signal: AbortSignal): Promise<number> => {
    signals.push(signal);
    return new Promise((resolve, reject) => void waiting.set(number, { resolve, reject }));
  };
  const finish = (number: number): void => waiting.get(number)?.resolve(number);
  const started = (): number[] => [...waiting.keys()];
  return { work, finish, started, waiting, signals };
}

const options = { first: 1, last: 10, max: 3, maxBytes: 100, sizeOf: () => 1, signal: noEnd };

/** Lets all ready work continue. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("reading ahead", () => {
  it("returns the pieces in order, in whatever order they finish", async () => {
    const { work, finish, started } = stage();
    const pieces = readAhead(work, options);
    const first = pieces.next();
    await turn();
    expect(started()).toEqual([1, 2, 3]);
    for (const number of [3, 2, 1]) finish(number);
    expect((await first).value).toBe(1);
    expect((await pieces.next()).value).toBe(2);
    expect(started()).toEqual([1, 2, 3, 4, 5]);
    await pieces.return();
  });

  it("starts only as many as the size limit allows, but always one", async () => {
    const { work, finish, started } = stage();
    const pieces = readAhead(work, { ...options, max: 8, maxBytes: 100, sizeOf: () => 60 });
    const first = pieces.next();
    await turn();
    // The size of pieces is not known yet.
    expect(started()).toHaveLength(8);
    for (const number of started()) finish(number);
    expect((await first).value).toBe(1);
    for (let number = 2; number <= 8; number++) {
      expect((await pieces.next()).value).toBe(number);
      expect(started()).toHaveLength(number === 8 ? 9 : 8);
    }
    await pieces.return();
  });

  it("reports a failure in its turn, and aborts the rest", async () => {
    const { work, finish, waiting, signals } = stage();
    const pieces = readAhead(work, options);
    const first = pieces.next();
    await turn();
    waiting.get(2)?.reject(new LiteError("lite/lost", "gone"));
    finish(1);
    expect((await first).value).toBe(1);
    expect(signals[2]?.aborted).toBe(false);
    await expect(pieces.next()).rejects.toMatchObject({ code: "lite/lost" });
    expect(signals[2]?.aborted).toBe(true);
  });

  it("aborts work in progress when the consumer leaves", async () => {
    const { work, finish, signals } = stage();
    const pieces = readAhead(work, options);
    const first = pieces.next();
    await turn();
    finish(1);
    await first;
    await pieces.return();
    expect(signals.map(({ aborted }) => aborted)).toEqual(signals.map(() => true));
  });

  it("ends after the last", async () => {
    const pieces = readAhead(async (number) => number, { ...options, last: 4 });
    const seen: number[] = [];
    for await (const piece of pieces) seen.push(piece);
    expect(seen).toEqual([1, 2, 3, 4]);
  });
});
