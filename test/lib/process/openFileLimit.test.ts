import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { getOpenFileLimit } from "../../../src/lib/process/openFileLimit.ts";

it("the limit of open files is that of the system", () => {
  // A shell inherits the limit from this process.
  const output = execFileSync("/bin/sh", ["-c", "ulimit -Sn"], { encoding: "utf8" }).trim();
  expect(getOpenFileLimit()).toBe(output === "unlimited" ? Number.POSITIVE_INFINITY : Number(output));
});
