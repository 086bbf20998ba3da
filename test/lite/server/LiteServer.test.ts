import { describe, expect, it } from "vitest";
import { ask, decodeAnswer, findServerError, type LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { getTime } from "../../../src/lite/tl/liteQueries.ts";
import { currentTime, serverError } from "../../../src/lite/tl/liteRecords.ts";
import { decodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { encode } from "../../../src/lite/tl/types.ts";

const { signal } = new AbortController();

/** A server that gives one answer to everything and records its queries. */
function answering(answer: Uint8Array): LiteServer & { readonly asked: Uint8Array[] } {
  const asked: Uint8Array[] = [];
  return {
    asked,
    ask: async (bytes) => {
      asked.push(bytes);
      return answer;
    },
    close: async () => {},
    destroy: () => {},
  };
}

describe("ask", () => {
  it("sends bytes and returns values", async () => {
    const server = answering(encode(currentTime.boxed, { now: 5 }));
    expect(await ask(server, getTime, {}, { signal, wait: { seqno: 1, timeoutMs: 2 } })).toEqual({ now: 5 });
    expect(server.asked.map(decodeQuery)).toEqual([{ wait: { seqno: 1, timeoutMs: 2 }, query: getTime, args: {} }]);
  });

  it("throws the server's error with its number and text", async () => {
    const server = answering(encode(serverError.boxed, { code: 651, message: "not in db" }));
    await expect(ask(server, getTime, {}, { signal })).rejects.toMatchObject({
      code: "lite/server",
      kind: "remote",
      message: "liteServer.getTime: not in db (651)",
      data: { serverCode: 651, serverMessage: "not in db" },
    });
  });

  it("throws a code for an answer of another query", async () => {
    await expect(ask(answering(new Uint8Array(8)), getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/tl" });
    await expect(ask(answering(new Uint8Array(0)), getTime, {}, { signal })).rejects.toMatchObject({ code: "lite/tl" });
  });
});

describe("findServerError", () => {
  it("finds nothing in an answer", () => {
    expect(findServerError(encode(currentTime.boxed, { now: 5 }))).toBeUndefined();
    expect(findServerError(new Uint8Array(0))).toBeUndefined();
  });

  it("works on a view into larger memory", () => {
    const error = encode(serverError.boxed, { code: -400, message: "no" });
    const memory = new Uint8Array(error.length + 3);
    memory.set(error, 3);
    expect(findServerError(memory.subarray(3))).toEqual({ code: -400, message: "no" });
    expect(() => decodeAnswer(getTime, memory.subarray(3))).toThrow("no (-400)");
  });
});
