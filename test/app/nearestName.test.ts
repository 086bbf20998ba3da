import { describe, expect, it } from "vitest";
import { findNearestName, suggest } from "../../src/app/nearestName.ts";

const names = ["--port", "--host", "--block-ms", "serve"];

describe("the nearest name", () => {
  it.each([
    ["--prot", "--port"],
    ["--hots", "--host"],
    ["--blok-ms", "--block-ms"],
    ["--block-mss", "--block-ms"],
    ["srve", "serve"],
  ])("of %s is %s", (given, meant) => {
    expect(findNearestName(given, names)).toBe(meant);
  });

  it.each(["", "-p", "--colour", "sv", "version"])("is none for %j, which is not a typo", (given) => {
    expect(findNearestName(given, names)).toBeUndefined();
  });

  it("is suggested alone, or all names without a similar one", () => {
    expect(suggest("--prot", names)).toBe("did you mean --port?");
    expect(suggest("--colour", ["--port", "--host"])).toBe("use one of: --port, --host");
  });
});
