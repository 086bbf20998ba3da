import { describe, expect, it } from "vitest";
import { LiteError } from "../../src/lite/errors.ts";
import { askProven, type LiteServer } from "../../src/lite/server/LiteServer.ts";
import { getTime } from "../../src/lite/tl/liteQueries.ts";
import { currentTime, serverError } from "../../src/lite/tl/liteRecords.ts";
import { decodeQuery, needOf } from "../../src/lite/tl/queryEnvelope.ts";
import { encode } from "../../src/lite/tl/types.ts";

const { signal } = new AbortController();

function time(now: number): Uint8Array {
  return encode(currentTime.boxed, { now });
}

/** Accepts only even times and counts its calls. */
function makeCheck() {
  const seen: number[] = [];
  const check = ({ now }: { readonly now: number }): string => {
    seen.push(now);
    if (now % 2 === 1) throw new LiteError("lite/proof", `${now} is odd`);
    return `at ${now}`;
  };
  return { seen, check };
}

function makeServer(ask: LiteServer["ask"]): LiteServer {
  return { ask, close: async () => {}, destroy: () => {} };
}

/** A server that stands for several: it offers each answer to the caller until one is accepted. */
function severalAnswering(...answers: readonly Uint8Array[]): LiteServer {
  return makeServer(async (_bytes, { accept }) => {
    let last: unknown;
    for (const answer of answers) {
      try {
        accept?.(answer);
        return answer;
      } catch (error) {
        last = error;
      }
    }
    throw last;
  });
}

describe("askProven", () => {
  it("checks the answer of a single server, which need not offer it before", async () => {
    const { seen, check } = makeCheck();
    expect(
      await askProven(
        makeServer(async () => time(4)),
        getTime,
        {},
        check,
        { signal },
      ),
    ).toBe("at 4");
    await expect(
      askProven(
        makeServer(async () => time(5)),
        getTime,
        {},
        check,
        { signal },
      ),
    ).rejects.toMatchObject({
      code: "lite/proof",
    });
    expect(seen).toEqual([4, 5]);
  });

  it("lets a server that stands for several use another one, and checks no answer twice", async () => {
    const { seen, check } = makeCheck();
    const server = severalAnswering(
      time(1),
      encode(serverError.boxed, { code: 1, message: "no" }),
      time(3),
      time(6),
      time(8),
    );
    expect(await askProven(server, getTime, {}, check, { signal })).toBe("at 6");
    expect(seen).toEqual([1, 3, 6]);
  });

  it("checks again if the returned answer is not the last accepted one", async () => {
    const { seen, check } = makeCheck();
    const hedging = makeServer(async (_bytes, { accept }) => {
      const [first, second] = [time(2), time(4)];
      accept?.(first);
      accept?.(second);
      return first;
    });
    expect(await askProven(hedging, getTime, {}, check, { signal })).toBe("at 2");
    expect(seen).toEqual([2, 4, 2]);
    const lying = makeServer(async (_bytes, { accept }) => {
      accept?.(time(2));
      return time(7);
    });
    await expect(askProven(lying, getTime, {}, check, { signal })).rejects.toMatchObject({ code: "lite/proof" });
  });

  it("throws the server's error, and a code for an answer of another query", async () => {
    const { check } = makeCheck();
    const complaint = severalAnswering(encode(serverError.boxed, { code: 651, message: "not in db" }));
    await expect(askProven(complaint, getTime, {}, check, { signal })).rejects.toMatchObject({ code: "lite/server" });
    const nonsense = makeServer(async () => new Uint8Array(8));
    await expect(askProven(nonsense, getTime, {}, check, { signal })).rejects.toMatchObject({ code: "lite/tl" });
  });

  it("passes the wait before the query, the signal, the need of the query and the access", async () => {
    const { check } = makeCheck();
    const asked: unknown[] = [];
    const server = makeServer(async (bytes, { accept, ...options }) => {
      asked.push({ ...decodeQuery(bytes), ...options, looks: accept !== undefined });
      return time(2);
    });
    await askProven(server, getTime, {}, check, { signal, access: "private", wait: { seqno: 1, timeoutMs: 2 } });
    const wait = { seqno: 1, timeoutMs: 2 };
    const need = needOf(getTime, {}, wait);
    expect(need).toMatchObject({ atLeast: 1, waitMs: 2 });
    expect(asked).toEqual([{ wait, query: getTime, args: {}, signal, need, access: "private", looks: true }]);
  });
});
