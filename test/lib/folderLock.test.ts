import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
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

  it.skipIf(process.platform !== "linux")(
    "is free if its holder was killed and is only not collected yet",
    async () => {
      // The shell becomes a program that does not ask for the exit code of the child that the shell has started.
      const parent = spawn("sh", ["-c", "sleep 1000 & echo $!; exec sleep 1000"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      const pid = Number(String((await once(parent.stdout, "data"))[0]));
      const stat = () => readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /, "").split(" ");
      writeFileSync(join(folder, "lock"), `${pid} ${stat()[19]}\n`);
      expect(takeFolder(folder)).toEqual({ kind: "held", pid });
      process.kill(pid, "SIGKILL");
      while (stat()[0] !== "Z") await systemClock.sleep(10);
      expect(takeFolder(folder).kind).toBe("taken");
      parent.kill("SIGKILL");
    },
  );

  it("that does not exist is locked by no process", () => {
    expect(() => takeFolder(join(folder, "missing"))).toThrowError("ENOENT");
  });
});
