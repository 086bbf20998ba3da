import { describe, expect, it } from "vitest";
import { isCoded, kindOf, LibError } from "../../src/lib/errors.ts";

describe("a coded error", () => {
  it("carries code, kind, message, data and cause", () => {
    const cause = new Error("beneath");
    const error = new LibError("lib/deadline", "late", { data: { delayMs: 3 }, cause });
    const { name, code, kind, message, data } = error;
    expect({ name, code, kind, message, data, cause: error.cause }).toEqual({
      name: "LibError",
      code: "lib/deadline",
      kind: "remote",
      message: "late",
      data: { delayMs: 3 },
      cause,
    });
  });

  it("has data of the type that its code declares", () => {
    const error: unknown = new LibError("lib/argument", "bad", { data: { argument: "a", value: "b", allowed: "c" } });
    const argument: string | undefined = isCoded(error, "lib/argument") ? error.data.argument : undefined;
    expect(argument).toBe("a");
    // @ts-expect-error this code needs data
    expect(new LibError("lib/argument", "bad").data).toEqual({});
    // @ts-expect-error this code has no data
    expect(new LibError("lib/hex", "bad", { data: { at: 1 } }).data).toEqual({ at: 1 });
  });

  it("is recognised by its code", () => {
    const error = new LibError("lib/hex", "not hex");
    expect([isCoded(error), isCoded(error, "lib/hex"), isCoded(error, "lib/json")]).toEqual([true, true, false]);
    // @ts-expect-error no room declares this code
    expect(isCoded(error, "lib/hexx")).toBe(false);
    expect([isCoded(new Error("plain")), isCoded(undefined)]).toEqual([false, false]);
  });
});

it("has the usual kind of a room for codes that the table of a client leaves out", () => {
  const shortened = { "": "remote", "lib/hex": "caller" } as unknown as Parameters<
    typeof kindOf<"lib/hex" | "lib/deadline">
  >[0];
  expect([kindOf(shortened, "lib/hex"), kindOf(shortened, "lib/deadline")]).toEqual(["caller", "remote"]);
});
