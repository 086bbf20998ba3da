import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundle } from "../../kit/suite/bundle.ts";

it("processes that make the same folders at the same time all have them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-folders-"));
  const code = await bundle("lib/files/FileSystem.ts", mkdtempSync(join(tmpdir(), "tongate-bundle-")));
  const script = `
    import { systemFiles } from ${JSON.stringify(code)};
    // All begin together.
    process.stdout.write("ready");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    for (let n = 0; n < 300; n++) systemFiles.makeFolder(${JSON.stringify(folder)} + "/" + n + "/a/b");`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const ends = children.map((child) => once(child, "exit"));
  await Promise.all(children.map((child) => once(child.stdout, "data")));
  for (const child of children) child.stdin.end("go");
  const codes = await Promise.all(ends);
  expect(codes.map(([exit]) => exit)).toEqual([0, 0, 0, 0]);
  expect(readdirSync(folder)).toHaveLength(300);
});
