import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findLockHolder, lockFolder } from "../../../src/localnet/store/folderLock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the lock of a chain's folder", () => {
  it("is refused to others until it is released", async () => {
    const lock = await lockFolder(folder);
    expect(await findLockHolder(folder)).toBe(`process ${process.pid}`);
    await expect(lockFolder(folder)).rejects.toMatchObject({
      code: "localnet/locked",
      message: `${folder} is in use by process ${process.pid}`,
      data: { pid: process.pid },
    });
    lock.check();
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    expect(await findLockHolder(folder)).toBeUndefined();
    (await lockFolder(folder)).release();
  });

  it("refuses to write once another process has taken it over", async () => {
    const lock = await lockFolder(folder);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    expect(() => lock.check()).toThrowError("another one took the folder over");
    lock.release();
  });
});
