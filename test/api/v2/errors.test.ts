import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ApiError, type ApiErrorCode } from "../../../src/api/declare/errors.ts";
import { answerError, findErrorRow, v2ErrorRows } from "../../../src/api/v2/errors.ts";
import { CellError } from "../../../src/cell/errors.ts";
import { LibError } from "../../../src/lib/libErrors.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { ModelError } from "../../../src/model/errors.ts";

const source = join(import.meta.dirname, "../../../src");

/** The codes that a room's errors file declares. */
async function codesOf(file: string): Promise<string[]> {
  const exported = Object.entries((await import(join(source, file))) as Record<string, unknown>);
  return exported.filter(([name]) => name.endsWith("ErrorCodes")).flatMap(([, codes]) => Object.keys(Object(codes)));
}

/** Every code of every room that api stands on; app stands above it and never throws through it. */
async function allCodes(): Promise<string[]> {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (path) => /(?:^|\/)(?:e|\w+E)rrors\.ts$/.test(path) && !path.startsWith("app/") && path !== "lib/errors.ts",
  );
  return (await Promise.all(files.map(codesOf))).flat();
}

describe("the table of errors", () => {
  it("has a row for every code there is, and for no other", async () => {
    expect(Object.keys(v2ErrorRows).toSorted()).toEqual((await allCodes()).toSorted());
  });

  it.each([
    [
      new ApiError("api/argument", "lt and hash should be used together"),
      422,
      "lt and hash should be used together",
      "stamp",
    ],
    [new ApiError("api/key", "x"), 401, "API key does not exist", "none"],
    [new ApiError("api/network", "x"), 403, "Network not allowed", "none"],
    [new ApiError("api/limit", "x"), 429, "Ratelimit exceeded", "none"],
    [new ApiError("api/not-found", "x"), 404, "Not Found", "_"],
    [new ApiError("api/rpc-method", "x"), 404, "Method not found", "_"],
    [new ApiError("api/method", "x", { data: { method: "GET" } }), 405, "method GET is not supported", "_"],
    [
      new ApiError("api/boc", "bad bag", { data: { field: "body" } }),
      500,
      "INVALID_BAG_OF_CELLS: bodybad bag",
      "stamp",
    ],
    [new LibError("lib/argument", "x", { data: { argument: "seqno" } }), 422, "failed to parse seqno", "stamp"],
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

  it("answers what it does not know, and faults of ours, without a word of how", () => {
    const internal = { status: 500, text: "internal error", extra: "stamp" };
    for (const error of [new Error("secret"), "secret", undefined, new LibError("lib/shape", "secret")]) {
      expect(answerError(error)).toEqual(internal);
    }
    const unlisted = new ApiError("api/unlisted" as ApiErrorCode, "secret");
    expect([findErrorRow(unlisted), answerError(unlisted)]).toEqual([undefined, internal]);
  });
});
