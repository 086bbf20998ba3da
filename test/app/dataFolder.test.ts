import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeDataFolder } from "../../src/app/dataFolder.ts";

const root = mkdtempSync(join(tmpdir(), "tongate-data-"));
afterAll(() => rmSync(root, { recursive: true }));

describe("the data folder", () => {
  it("is created with its parents, and used if it exists", () => {
    const folder = join(root, "a/b/c");
    makeDataFolder(folder);
    makeDataFolder(folder);
    expect(existsSync(folder)).toBe(true);
  });

  it("is refused if a file is in its place", () => {
    const file = join(root, "file");
    writeFileSync(file, "");
    expect(() => makeDataFolder(join(file, "data"))).toThrow(
      expect.objectContaining({
        code: "app/data",
        message: expect.stringMatching(/^the data folder .* cannot be used \(E.*\); give another --data$/),
      }),
    );
    expect(() => makeDataFolder(file)).toThrow(expect.objectContaining({ code: "app/data" }));
  });

  it("is refused, without endless retries, if a file system allows no new folders", () => {
    const folder = existsSync("/proc/self") ? "/proc/tongate/data" : "/\0/data";
    expect(() => makeDataFolder(folder)).toThrow(expect.objectContaining({ code: "app/data" }));
  });
});
