import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { fromBase64, fromHex } from "../../../src/lib/bytes.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { judgeAnswer, judgeServerError } from "../../../src/lite/pool/verdict.ts";
import { findServerError } from "../../../src/lite/server/LiteServer.ts";
import { getMasterchainInfo, getMasterchainInfoExt } from "../../../src/lite/tl/liteQueries.ts";
import { type Need, noNeed } from "../../../src/lite/tl/need.ts";
import { decodeQuery, needOf, unwrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { errorAnswer, headAt, infoAnswer, timeAnswer } from "../../kit/lite/FakeLite.ts";

const recorded = readLiteExchanges(join(import.meta.dirname, "../../fixtures/realnet/lite-answers.jsonl.gz"));
const waiting = needOf(getMasterchainInfo, {}, { seqno: 5, timeoutMs: 100 });

/** Every recorded error of a real node, as `query: note`. */
function judgeRecorded(): Record<string, string[]> {
  const judged: Record<string, string[]> = {};
  for (const { group, note, request, response } of recorded) {
    const error = findServerError(fromBase64(response ?? ""));
    if (error !== undefined) {
      const need = group === "bad" || note === "trailing bytes" ? noNeed : needOfBytes(unwrapQuery(fromHex(request)));
      const errorKind = judgeServerError(error.code, error.message, need);
      judged[errorKind] = [...(judged[errorKind] ?? []), `${group}: ${note ?? ""}`];
    }
  }
  return judged;
}

describe("a server's errorKind", () => {
  it("is classified like the errors of a real node", () => {
    expect(judgeRecorded()).toEqual({
      missing: [
        "getBlock: unknown root hash",
        "getBlock: zerostate is not a block",
        "getBlockHeader: unknown block",
        "lookupBlock: zerostate",
        "lookupBlock: workchain does not exist",
        "lookupBlockWithProof: future",
        "getAllShardsInfo: at the zerostate",
        "getConfigAll: at the zerostate",
        "getAccountState: elector at the zerostate",
        "listBlockTransactions: unknown block",
        "listBlockTransactionsExt: unknown block",
        "getBlockProof: unknown block",
        "getShardBlockProof: unknown block",
        "runSmcMethod: unknown block",
        "getMasterchainInfo: wait for the future, short timeout",
        "getMasterchainInfo: wait far in the future",
      ],
      final: [
        "lookupBlock: no mode bit",
        "getAllShardsInfo: a shard block",
        "getConfigAll: a shard block",
        "getAccountState: unknown block",
        "getAccountState: shard block does not hold the account",
        "getOneTransaction: block of another chain",
        "getTransactions: hash mismatch",
        "getTransactions: no such lt",
        "getBlockProof: target is a shard block",
        "runSmcMethod: params are not a bag of cells",
        "runSmcMethod: params are not a stack",
        "sendMessage: rejected: bad signature",
        "bad: empty query",
        "getTime: trailing bytes",
        "bad: cut off",
      ],
      unsupported: ["bad: unknown function", "nonfinal.getPendingShardBlocks: "],
    });
  });

  it.each([
    [228, "ratelimit"],
    [429, "Too many requests"],
    [0, "too many queries, try again later"],
    [652, "timeout"],
    [602, "server is overloaded"],
  ])("is about load: %i %s", (code, message) => {
    expect(judgeServerError(code, message, noNeed)).toBe("busy");
  });

  it("is not about load if the server was asked to wait", () => {
    expect(judgeServerError(652, "timeout", waiting)).toBe("missing");
  });

  it("is about the server's own trouble", () => {
    expect(judgeServerError(602, "disk read error", noNeed)).toBe("broken");
  });
});

describe("an answer", () => {
  const reject = (code: "lite/proof" | "lite/tl" | "lite/server") => () => {
    throw new LiteError(code, "no");
  };

  it("is good if no check objects", () => {
    expect(judgeAnswer(timeAnswer(5), noNeed, undefined)).toEqual({ kind: "good" });
    expect(judgeAnswer(timeAnswer(5), noNeed, () => {})).toEqual({ kind: "good" });
    expect(judgeAnswer(timeAnswer(5), noNeed, reject("lite/server"))).toEqual({ kind: "good" });
  });

  it("is a proof error, undecodable or a server error", () => {
    expect(judgeAnswer(timeAnswer(5), noNeed, reject("lite/proof")).kind).toBe("badProof");
    expect(judgeAnswer(timeAnswer(5), noNeed, reject("lite/tl")).kind).toBe("nonsense");
    const errorKind = { kind: "serverError", errorKind: "missing", code: 651, message: "not in db" };
    expect(judgeAnswer(errorAnswer(651, "not in db"), noNeed, reject("lite/proof"))).toEqual(errorKind);
    expect(judgeAnswer(errorAnswer(651, "not in db").subarray(0, 9), noNeed, undefined).kind).toBe("nonsense");
    expect(judgeAnswer(new Uint8Array(0), { ...noNeed, newest: true }, undefined).kind).toBe("nonsense");
  });

  it("throws unexpected errors of the caller's check", () => {
    const broken = () => {
      throw new RangeError("mine");
    };
    expect(() => judgeAnswer(timeAnswer(5), noNeed, broken)).toThrow(RangeError);
  });

  it("with an older head than before shows a server that lacks data", () => {
    const need = { ...needOf(getMasterchainInfoExt, { mode: 0 }), atLeast: 100 };
    expect(judgeAnswer(infoAnswer(headAt(100)), need, undefined).kind).toBe("good");
    expect(judgeAnswer(infoAnswer(headAt(99)), need, undefined)).toMatchObject({ errorKind: "missing" });
  });
});

function needOfBytes(bytes: Uint8Array): Need {
  const { query, args, wait } = decodeQuery(bytes);
  return needOf(query, args, wait);
}
