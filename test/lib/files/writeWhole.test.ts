import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FileSystem, systemFiles } from "../../../src/lib/files/FileSystem.ts";
import { writeWholeLater } from "../../../src/lib/files/writeWhole.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("a large file is written in parts and pieces, one after another", async () => {
  const path = join(folder, "large");
  const parts = [Buffer.from("head"), Buffer.alloc((9 << 20) + 3, "x"), Buffer.alloc(0), Buffer.from("end")];
  await writeWholeLater(path, parts, systemFiles);
  expect(readFileSync(path).equals(Buffer.concat(parts))).toBe(true);
  expect(existsSync(`${path}.new`)).toBe(false);
});

it("a file that cannot be written keeps its former content, and nothing stays beside it", async () => {
  const path = join(folder, "kept");
  writeFileSync(path, "before");
  const files: FileSystem = {
    ...systemFiles,
    open: (name, flags) => ({
      ...systemFiles.open(name, flags),
      syncLater: () => Promise.reject(new Error("no space")),
    }),
  };
  await expect(writeWholeLater(path, [Buffer.from("after")], files)).rejects.toThrow("no space");
  expect(readFileSync(path, "utf8")).toBe("before");
  expect(existsSync(`${path}.new`)).toBe(false);
});
