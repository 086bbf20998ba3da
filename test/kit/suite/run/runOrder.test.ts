import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listAlone } from "./aloneFiles.ts";
import { longestFiles } from "./longestFiles.ts";

it("detects files that change modules by their calls", () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-order-"));
  mkdirSync(join(folder, "deep"));
  const call = (name: string) => `vi.${name}("module");`;
  writeFileSync(join(folder, "deep", "mocks.test.ts"), call("mock"));
  writeFileSync(join(folder, "forgets.test.ts"), call("resetModules"));
  writeFileSync(join(folder, "spies.test.ts"), call("spyOn"));
  writeFileSync(join(folder, "mocks.ts"), call("mock"));
  expect(listAlone(folder)).toEqual([join("deep", "mocks.test.ts"), "forgets.test.ts"]);
});

it("all files of the slowest list exist", () => {
  const test = join(import.meta.dirname, "../../..");
  expect(longestFiles.filter((name) => !existsSync(join(test, `${name}.test.ts`)))).toEqual([]);
});
