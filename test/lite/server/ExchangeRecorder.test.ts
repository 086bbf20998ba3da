import { describe, expect, it } from "vitest";
import { LiteError } from "../../../src/lite/errors.ts";
import { ExchangeRecorder } from "../../../src/lite/server/ExchangeRecorder.ts";
import { ExchangeReplayer } from "../../../src/lite/server/ExchangeReplayer.ts";
import { findServerError, type LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { RecordBudget } from "../../../src/lite/server/RecordBudget.ts";

const { signal } = new AbortController();

/** Answers each query with its bytes in another order; some queries fail. */
const server: LiteServer = {
  ask: async (query) => {
    if (query[0] === 9)
      throw new LiteError("lite/server", "not here", { data: { serverCode: 651, serverMessage: "not in db" } });
    if (query[0] === 8) throw new LiteError("lite/lost", "gone");
    return Uint8Array.from(query).reverse();
  },
  close: async () => {},
  destroy: () => {},
};

describe("recorded exchanges", () => {
  it("have each query once, with its answer, and answer the same again", async () => {
    const recorder = new ExchangeRecorder(server);
    for (const bytes of [
      [1, 2],
      [3, 4],
      [1, 2],
    ])
      await recorder.ask(Uint8Array.from(bytes), { signal });
    expect(recorder.exchanges).toEqual([
      { query: Uint8Array.of(1, 2), answer: Uint8Array.of(2, 1) },
      { query: Uint8Array.of(3, 4), answer: Uint8Array.of(4, 3) },
    ]);
    const replayer = new ExchangeReplayer(recorder.exchanges);
    expect(await replayer.ask(Uint8Array.of(3, 4), { signal })).toEqual(Uint8Array.of(4, 3));
    await expect(replayer.ask(Uint8Array.of(5), { signal })).rejects.toMatchObject({ code: "lite/record" });
  });

  it("have the error of a server as its answer, and no query without an answer", async () => {
    const recorder = new ExchangeRecorder(server);
    await expect(recorder.ask(Uint8Array.of(9), { signal })).rejects.toMatchObject({ code: "lite/server" });
    await expect(recorder.ask(Uint8Array.of(8), { signal })).rejects.toMatchObject({ code: "lite/lost" });
    expect(recorder.exchanges.map(({ query, answer }) => [query, findServerError(answer)])).toEqual([
      [Uint8Array.of(9), { code: 651, message: "not in db" }],
    ]);
  });
});

describe("the budget of recordings", () => {
  const exchange = (name: number, bytes: number) => ({ query: Uint8Array.of(name), answer: new Uint8Array(bytes) });

  it("refuses a recording that is too long, and one for which there is no room until another ends", () => {
    const budget = new RecordBudget({ maxBytes: 100, maxTotalBytes: 150 });
    const [one, other] = [new ExchangeRecorder(server, budget), new ExchangeRecorder(server, budget)];
    one.add(exchange(1, 90));
    expect(() => one.add(exchange(2, 9))).toThrow(expect.objectContaining({ code: "lite/record-size" }));
    expect(() => other.add(exchange(1, 61))).toThrow(expect.objectContaining({ code: "lite/record-full" }));
    expect([budget.bytes, other.exchanges]).toEqual([90, []]);
    one.release();
    one.release();
    other.add(exchange(1, 61));
    expect(budget.bytes).toBe(61);
    other.release();
    expect(budget.bytes).toBe(0);
  });

  it("counts an answer of several recordings once, until the last of them ends", () => {
    const budget = new RecordBudget({ maxBytes: 100, maxTotalBytes: 150 });
    const recorders = [1, 2, 3].map(() => new ExchangeRecorder(server, budget));
    const shared = exchange(1, 90);
    for (const recorder of recorders) recorder.add(shared);
    expect(recorders.map((recorder) => [recorder.release(), budget.bytes])).toEqual([
      [undefined, 90],
      [undefined, 90],
      [undefined, 0],
    ]);
  });

  it("does not count what comes after the end of a recording", async () => {
    const budget = new RecordBudget({ maxBytes: 100, maxTotalBytes: 150 });
    const recorder = new ExchangeRecorder(server, budget);
    const late = recorder.ask(Uint8Array.of(1, 2), { signal });
    recorder.release();
    expect([await late, budget.bytes]).toEqual([Uint8Array.of(2, 1), 0]);
  });
});
