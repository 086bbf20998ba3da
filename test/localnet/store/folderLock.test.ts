import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockFolder } from "../../../src/localnet/store/folderLock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a locked folder", () => {
  it("is refused to other processes until it is released", () => {
    const unlock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrowError(`${folder} is in use by process ${process.pid}`);
    unlock();
    expect(existsSync(join(folder, "lock"))).toBe(false);
    lockFolder(folder)();
  });

  it.each(["", "nonsense", "999999999 1\n", `${process.pid} another-start\n`])(
    "is free if its lock has the content %j",
    (text) => {
      writeFileSync(join(folder, "lock"), text);
      lockFolder(folder)();
    },
  );
});
