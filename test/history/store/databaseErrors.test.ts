import { describe, expect, it } from "vitest";
import { HistoryError } from "../../../src/history/errors.ts";
import { databaseError, isSessionLost } from "../../../src/history/store/databaseErrors.ts";

describe("errors of an engine", () => {
  const room = "free space on its disk; writing then continues without a restart";
  const grant = "grant the missing privilege; this process retries";
  const writes = "make it writable; writing then continues without a restart";
  const tables = 'tables were removed or changed: run "tongate db rebuild" and index again';
  const restore = 'restore a backup, or run "tongate db rebuild" and index again';
  const files = "raise the limit of open files";

  it.each([
    ["53100", "history/full", room],
    ["ENOSPC", "history/full", room],
    ["57014", "history/timeout"],
    ["25006", "history/read-only", writes],
    ["EROFS", "history/read-only", writes],
    ["42501", "history/denied", grant],
    ["28P01", "history/denied", grant],
    ["28000", "history/denied", grant],
    ["EACCES", "history/denied", grant],
    ["42P01", "history/tables", tables],
    ["42703", "history/tables", tables],
    ["3F000", "history/tables", tables],
    ["XX001", "history/damaged", restore],
    ["XX002", "history/damaged", restore],
    ["58P01", "history/damaged", restore],
    ["EMFILE", "history/database", files],
    ["53000", "history/database", files],
    ["57P01", "history/database"],
    ["57P02", "history/database"],
    ["57P03", "history/database"],
    ["57P05", "history/database"],
    ["08006", "history/database"],
    ["53200", "history/database"],
    ["53300", "history/database"],
    ["3D000", "history/database"],
    ["40001", "history/database"],
    ["40P01", "history/database"],
    ["25P03", "history/database"],
    ["55000", "history/database"],
    ["55P03", "history/database"],
    ["58030", "history/database"],
    ["72000", "history/database"],
    ["F0000", "history/database"],
    ["XX000", "history/database"],
    ["26000", "history/database"],
    ["ECONNREFUSED", "history/database"],
    ["EPIPE", "history/database"],
    ["CONNECTION_CLOSED", "history/database"],
    ["42601", "history/sql"],
    ["23505", "history/sql"],
    ["22P02", "history/sql"],
    ["25P02", "history/sql"],
    ["0A000", "history/sql"],
    ["54000", "history/sql"],
    ["P0001", "history/sql"],
  ])("with the code %s are %s and say what to do", (code, wanted, advice?: string) => {
    const error = databaseError(Object.assign(new Error("why"), { code }), "asking");
    const message = advice === undefined ? "asking: why" : `asking: why; ${advice}`;
    expect(error).toMatchObject({ code: wanted, message, data: { state: code } });
  });

  it.each(["25006", "57P01", "57P02", "57P03", "08006", "26000", "0A000", "25P03", "XX000"])(
    "with the state %s end the session",
    (code) => {
      expect(isSessionLost(databaseError(Object.assign(new Error("why"), { code }), "asking"))).toBe(true);
    },
  );

  it.each(["23505", "40001", "57014", "42P01", "42501"])("with the state %s keep the session", (code) => {
    expect(isSessionLost(databaseError(Object.assign(new Error("why"), { code }), "asking"))).toBe(false);
  });

  it("stay unchanged if they have one of our codes", () => {
    const coded = new HistoryError("history/row", "a row");
    expect(databaseError(coded, "asking")).toBe(coded);
  });

  it("without any code are our fault", () => {
    expect(databaseError("nonsense", "asking")).toMatchObject({ code: "history/sql", message: "asking: nonsense" });
  });
});
