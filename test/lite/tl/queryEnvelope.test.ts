import { describe, expect, it } from "vitest";
import { concatBytes, fromHex, toHex } from "../../../src/lib/bytes.ts";
import {
  getMasterchainInfo,
  getTime,
  lookupBlock,
  queryPrefix,
  waitMasterchainSeqno,
} from "../../../src/lite/tl/liteQueries.ts";
import { decodeQuestion, encodeQuestion, unwrapQuestion, wrapQuestion } from "../../../src/lite/tl/queryEnvelope.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

describe("a question", () => {
  it("travels inside liteServer.query", () => {
    const question = encodeQuestion(getMasterchainInfo, {});
    expect(toHex(wrapQuestion(question))).toBe("df068c79042ee6b589000000");
    expect(unwrapQuestion(wrapQuestion(question))).toEqual(question);
  });

  it("may be preceded by a wait", () => {
    const wait = { seqno: 738, timeoutMs: 3_000 };
    const question = encodeQuestion(getTime, {}, wait);
    expect(toHex(question)).toBe("92b8eabae2020000b80b0000345aad16");
    expect(decodeQuestion(question)).toEqual({ wait, query: getTime, args: {} });
  });

  it("may be preceded by empty prefixes", () => {
    const prefix = encode(queryPrefix.boxed, {});
    expect(decodeQuestion(concatBytes([prefix, prefix, encodeQuestion(getTime, {})])).query).toBe(getTime);
  });

  it("is told by its number, its arguments with it", () => {
    const args = { mode: 1, id: { workchain: -1, shard: -(2n ** 63n), seqno: 5 } };
    expect(decodeQuestion(encodeQuestion(lookupBlock, args))).toEqual({ wait: undefined, query: lookupBlock, args });
  });

  it.each([
    ["nothing", ""],
    ["an unknown function", "efbeadde"],
    ["a wait for nothing", toHex(encode(waitMasterchainSeqno.boxed, { seqno: 1, timeoutMs: 1 }))],
    ["bytes after it", "345aad1601000000"],
    ["a type instead of a function", "81288385"],
  ])("is refused when it is %s", (_, hex) => {
    expect(refusalCode(() => decodeQuestion(fromHex(hex)))).toBe("lite/tl");
  });

  it("without its envelope is refused", () => {
    expect(refusalCode(() => unwrapQuestion(encodeQuestion(getTime, {})))).toBe("lite/tl");
  });
});
