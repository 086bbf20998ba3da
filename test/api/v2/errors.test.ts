import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../src/api/declare/errors.ts";
import { defaultAnswer } from "../../../src/api/declare/errorTable.ts";
import { answerError, v2Errors } from "../../../src/api/v2/errors.ts";
import { CellError } from "../../../src/cell/base/errors.ts";
import { LibError } from "../../../src/lib/errors.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { ModelError } from "../../../src/model/errors.ts";
import { errorsOfAllCodes } from "../../kit/api/allErrors.ts";

describe("the table of errors", () => {
  it("lists exceptions only: a row that equals the default of its kind or prefix is refused", async () => {
    const listed = (await errorsOfAllCodes("text")).filter(({ code }) => Object.hasOwn(v2Errors.codes, code));
    const same = listed.filter((error) => isDeepStrictEqual(answerError(error), defaultAnswer(v2Errors, error)(error)));
    expect(same.map(({ code }) => code)).toEqual([]);
    expect(listed.map(({ code }) => code).toSorted()).toEqual(Object.keys(v2Errors.codes).toSorted());
  });

  it("uses every prefix", async () => {
    const codes = (await errorsOfAllCodes("text")).map(({ code }) => code);
    expect(v2Errors.prefixes.filter(([prefix]) => !codes.some((code) => code.startsWith(prefix)))).toEqual([]);
  });

  it.each([
    [
      new ApiError("api/argument", "lt and hash should be used together"),
      422,
      "lt and hash should be used together",
      "stamp",
    ],
    [new ApiError("api/key", "x"), 401, "API key does not exist", "none"],
    [new ApiError("api/network", "x", { data: { network: "a", allowed: [] } }), 403, "Network not allowed", "none"],
    [
      new ApiError("api/limit", "x", { data: { perSecond: 1, burst: 1, remaining: 0, retryMs: 1, resetMs: 1 } }),
      429,
      "Ratelimit exceeded",
      "none",
    ],
    [new ApiError("api/not-found", "x"), 404, "Not Found", "_"],
    [new ApiError("api/rpc-method", "x"), 404, "Method not found", "_"],
    [
      new ApiError("api/method", "x", { data: { method: "GET", allowed: "POST" } }),
      405,
      "method GET is not supported",
      "_",
    ],
    [
      new ApiError("api/boc", "bad bag", { data: { field: "body" } }),
      500,
      "INVALID_BAG_OF_CELLS: bodybad bag",
      "stamp",
    ],
    [
      new LibError("lib/argument", "x", { data: { argument: "seqno", value: "x", allowed: "y" } }),
      422,
      "failed to parse seqno",
      "stamp",
    ],
    [new LibError("lib/deadline", "x"), 504, "LITE_SERVER_NETWORK timeout", "stamp"],
    [new LiteError("lite/timeout", "x"), 504, "LITE_SERVER_NETWORK timeout", "stamp"],
    [new CellError("cell/boc-cut", "cut"), 500, "INVALID_BAG_OF_CELLS: cut", "stamp"],
    [new ModelError("model/address", "x"), 422, "failed to parse address", "stamp"],
  ])("answers %s", (error, status, text, extra) => {
    expect(answerError(error)).toEqual({ status, text, extra });
  });

  it.each([
    [601, "FAILURE"],
    [602, "ERROR"],
    [603, "WARNING"],
    [621, "PROTOVIOLATION"],
    [651, "NOTREADY"],
    [652, "TIMEOUT"],
    [653, "CANCELLED"],
    [-400, "UNKNOWN"],
    [0, "UNKNOWN"],
  ])("names the lite server's error %d as %s", (serverCode, kind) => {
    const error = new LiteError("lite/server", "x", { data: { serverCode, serverMessage: "not in db" } });
    expect(answerError(error)).toEqual({ status: 500, text: `LITE_SERVER_${kind}: not in db`, extra: "stamp" });
  });

  it("answers unknown codes and internal errors without details", () => {
    const internal = { status: 500, text: "internal error", extra: "stamp" };
    for (const error of [new Error("secret"), "secret", undefined, new LibError("lib/shape", "secret")])
      expect(answerError(error)).toEqual(internal);
  });
});
