import { describe, expect, it } from "vitest";
import { isCoded } from "../../src/lib/errors.ts";
import { LibError } from "../../src/lib/libErrors.ts";

describe("a coded error", () => {
  it("carries code, kind, message, data and cause", () => {
    const cause = new Error("beneath");
    const error = new LibError("lib/hex", "not hex", { data: { at: 3 }, cause });
    const { name, code, kind, message, data } = error;
    expect({ name, code, kind, message, data, cause: error.cause }).toEqual({
      name: "LibError",
      code: "lib/hex",
      kind: "caller",
      message: "not hex",
      data: { at: 3 },
      cause,
    });
  });

  it("is told from others by its code", () => {
    const error = new LibError("lib/hex", "not hex");
    expect([isCoded(error), isCoded(error, "lib/hex"), isCoded(error, "lib/json")]).toEqual([true, true, false]);
    expect([isCoded(new Error("plain")), isCoded(undefined)]).toEqual([false, false]);
  });
});
