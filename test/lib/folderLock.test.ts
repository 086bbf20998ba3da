import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findFolderHolder, takeFolder } from "../../src/lib/folderLock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a taken folder", () => {
  it("is held until it is released", () => {
    const taken = takeFolder(folder);
    expect(taken.kind).toBe("taken");
    expect(takeFolder(folder)).toEqual({ kind: "held", pid: process.pid });
    expect(findFolderHolder(folder)).toBe(process.pid);
    if (taken.kind === "taken") taken.release();
    expect(findFolderHolder(folder)).toBeUndefined();
    expect(takeFolder(folder).kind).toBe("taken");
  });

  it.each(["", "nonsense", "999999999 1\n", `${process.pid} another-start\n`])(
    "is free if its lock has the content %j",
    (text) => {
      writeFileSync(join(folder, "lock"), text);
      expect(takeFolder(folder).kind).toBe("taken");
    },
  );

  it("that does not exist is locked by no process", () => {
    expect(() => takeFolder(join(folder, "missing"))).toThrowError("ENOENT");
  });
});
