import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { leaveOut, listLong } from "../longRun.ts";
import { listAlone, listMocked } from "./aloneFiles.ts";
import { longestFiles } from "./longestFiles.ts";

it("detects files that change modules or watch the event loop by their calls", () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-order-"));
  mkdirSync(join(folder, "deep"));
  const call = (name: string) => `vi.${name}("module");`;
  writeFileSync(join(folder, "deep", "mocks.test.ts"), call("mock"));
  writeFileSync(join(folder, "forgets.test.ts"), call("resetModules"));
  writeFileSync(join(folder, "spies.test.ts"), call("spyOn"));
  writeFileSync(join(folder, "watches.test.ts"), ["const loop = new", "LoopWatch();"].join(" "));
  writeFileSync(join(folder, "mocks.ts"), call("mock"));
  expect(listMocked(folder)).toEqual(["deep/mocks.test.ts", "forgets.test.ts"]);
  expect(listAlone(folder)).toEqual(["watches.test.ts"]);
});

it("leaves out the files of the long run, unless they are named", () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-long-"));
  mkdirSync(join(folder, "deep"));
  writeFileSync(join(folder, "deep", "whole.test.ts"), 'import "../../kit/suite/longRun.ts";\n');
  writeFileSync(join(folder, "package.test.ts"), 'import "./kit/suite/longRun.ts";\n');
  writeFileSync(join(folder, "part.test.ts"), 'import "./kit/suite/corpus.ts";\n// import "./kit/suite/longRun.ts";\n');
  const long = listLong(folder);
  expect(long).toEqual(["deep/whole.test.ts", "package.test.ts"]);
  expect(leaveOut(long, ["run"])).toEqual(long);
  expect(leaveOut(long, ["run", "test/deep"])).toEqual(long);
  expect(leaveOut(long, ["run", "test\\deep\\whole.test.ts"])).toEqual(["package.test.ts"]);
});

it("all files of the slowest list exist", () => {
  const test = join(import.meta.dirname, "../../..");
  expect(longestFiles.filter((name) => !existsSync(join(test, `${name}.test.ts`)))).toEqual([]);
});
