import { describe, expect, it } from "vitest";
import { concatBytes, fromHex, toHex } from "../../../src/lib/bytes.ts";
import {
  getMasterchainInfo,
  getTime,
  lookupBlock,
  queryPrefix,
  waitMasterchainSeqno,
} from "../../../src/lite/tl/liteQueries.ts";
import { decodeQuery, encodeQuery, unwrapQuery, wrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

describe("a query", () => {
  it("is wrapped in liteServer.query", () => {
    const query = encodeQuery(getMasterchainInfo, {});
    expect(toHex(wrapQuery(query))).toBe("df068c79042ee6b589000000");
    expect(unwrapQuery(wrapQuery(query))).toEqual(query);
  });

  it("may be preceded by a wait", () => {
    const wait = { seqno: 738, timeoutMs: 3_000 };
    const query = encodeQuery(getTime, {}, wait);
    expect(toHex(query)).toBe("92b8eabae2020000b80b0000345aad16");
    expect(decodeQuery(query)).toEqual({ wait, query: getTime, args: {} });
  });

  it("may be preceded by empty prefixes", () => {
    const prefix = encode(queryPrefix.boxed, {});
    expect(decodeQuery(concatBytes([prefix, prefix, encodeQuery(getTime, {})])).query).toBe(getTime);
  });

  it("is identified by its id, with its arguments", () => {
    const args = { mode: 1, id: { workchain: -1, shard: -(2n ** 63n), seqno: 5 } };
    expect(decodeQuery(encodeQuery(lookupBlock, args))).toEqual({ wait: undefined, query: lookupBlock, args });
  });

  it.each([
    ["nothing", ""],
    ["an unknown function", "efbeadde"],
    ["a wait for nothing", toHex(encode(waitMasterchainSeqno.boxed, { seqno: 1, timeoutMs: 1 }))],
    ["bytes after it", "345aad1601000000"],
    ["a type instead of a function", "81288385"],
  ])("is rejected if it is %s", (_, hex) => {
    expect(refusalCode(() => decodeQuery(fromHex(hex)))).toBe("lite/tl");
  });

  it("without its envelope is rejected", () => {
    expect(refusalCode(() => unwrapQuery(encodeQuery(getTime, {})))).toBe("lite/tl");
  });
});
