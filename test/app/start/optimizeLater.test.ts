import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { optimizationFlag } from "../../../src/app/start/optimizeLater.ts";

describe("the budget after which functions are optimized", () => {
  it("is raised in V8 11, the version of Node 20, and left alone in others", () => {
    expect(["11.3.244.8-node.26", "12.4.254.21-node.33", "13.6.233.10-node.28"].map(optimizationFlag)).toEqual([
      ...["--interrupt-budget=264000", undefined, undefined],
    ]);
  });

  it("is a flag that this version of V8 knows", () => {
    const flag = optimizationFlag(process.versions.v8) ?? "--stack-trace-limit=10";
    expect(execFileSync(process.execPath, [flag, "--print", "1"], { encoding: "utf8" })).toBe("1\n");
  });
});
