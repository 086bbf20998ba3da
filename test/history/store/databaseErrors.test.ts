import { describe, expect, it } from "vitest";
import { HistoryError } from "../../../src/history/errors.ts";
import { databaseError } from "../../../src/history/store/databaseErrors.ts";

describe("errors of an engine", () => {
  it.each([
    ["53100", "history/full"],
    ["ENOSPC", "history/full"],
    ["57014", "history/timeout"],
    ["57P01", "history/database"],
    ["57P03", "history/database"],
    ["08006", "history/database"],
    ["53300", "history/database"],
    ["28P01", "history/database"],
    ["3D000", "history/database"],
    ["40P01", "history/database"],
    ["ECONNREFUSED", "history/database"],
    ["EPIPE", "history/database"],
    ["CONNECTION_CLOSED", "history/database"],
    ["42601", "history/sql"],
    ["23505", "history/sql"],
    ["22P02", "history/sql"],
    ["XX000", "history/sql"],
  ])("with the code %s are %s", (code, wanted) => {
    const error = databaseError(Object.assign(new Error("why"), { code }), "asking");
    expect(error).toMatchObject({ code: wanted, message: "asking: why", data: { state: code } });
  });

  it("stay unchanged if they have one of our codes", () => {
    const coded = new HistoryError("history/row", "a row");
    expect(databaseError(coded, "asking")).toBe(coded);
  });

  it("without any code are our fault", () => {
    expect(databaseError("nonsense", "asking")).toMatchObject({ code: "history/sql", message: "asking: nonsense" });
  });
});
