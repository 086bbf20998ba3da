import { describe, expect, it } from "vitest";
import { shardsArg } from "../../src/app/localnetArgs.ts";

describe("the number of shards", () => {
  it.each([
    ["1", 1],
    ["2", 2],
    [4, 4],
    ["auto", "auto"],
  ])("may be %j", (given, meant) => expect(shardsArg.decode(given, "shards")).toBe(meant));

  it.each(["0", "3", 8, "four", true, ""])("may not be %j", (given) =>
    expect(() => shardsArg.decode(given, "shards")).toThrowError("one of 1, 2, 4, auto"),
  );
});
