import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/lib/clock.ts";
import {
  describeHolder,
  findFolderHolder,
  type LockModules,
  type TakenFolder,
  takeFolder,
} from "../../../src/lib/files/folderLock.ts";
import { ownSpace, type ProcessSpace } from "../../../src/lib/files/processSpace.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

let folder: string;
const taken: TakenFolder[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-lock-"));
});
afterEach(() => {
  for (const each of taken.splice(0)) each.release();
  rmSync(folder, { recursive: true });
});

/** Takes the folder as a process of this place, and keeps what is to be released. */
async function take(space: Partial<ProcessSpace> = {}, modules: Partial<LockModules> = {}) {
  const all = { clock: systemClock, random: systemRandom, space: { ...ownSpace(), ...space }, ...modules };
  const lock = await takeFolder(folder, all);
  if (lock.kind === "taken") taken.push(lock);
  return lock;
}

const otherContainer = { pids: "pid:[1]", host: "box", pid: 1, startedAt: "1" };
const otherMachine = { ...otherContainer, boot: "another system" };

describe("a taken folder", () => {
  it("is held until it is released", async () => {
    const lock = await take();
    expect(lock.kind).toBe("taken");
    expect(await take()).toEqual({ kind: "held", holder: { pid: process.pid, elsewhere: undefined } });
    expect(await findFolderHolder(folder)).toEqual({ pid: process.pid, elsewhere: undefined });
    if (lock.kind === "taken") lock.release();
    expect(readdirSync(folder)).toEqual([]);
    expect(await findFolderHolder(folder)).toBeUndefined();
    expect((await take()).kind).toBe("taken");
  });

  it("is held by a process whose number means nothing here, as in another container", async () => {
    await take(otherContainer);
    const folderLock = await take();
    expect(folderLock).toEqual({ kind: "held", holder: { pid: 1, elsewhere: "box" } });
    if (folderLock.kind === "held")
      expect(describeHolder(folderLock.holder)).toBe("process 1 of another container or machine (box)");
  });

  it("is held on a long path", async () => {
    folder = join(folder, "long".repeat(30));
    mkdirSync(folder);
    await take(otherContainer);
    expect((await take()).kind).toBe("held");
    folder = join(folder, "..");
  });

  it("is held by another machine as long as its heart beats, and free when it does not", async () => {
    const clock = new ManualClock();
    await take(otherMachine, { clock, hasSockets: false });
    const racing = take({}, { clock });
    for (let i = 0; i < 5; i++) await clock.advance(1_000);
    expect(await racing).toEqual({ kind: "held", holder: { pid: 1, elsewhere: "box" } });

    const still = new ManualClock();
    const later = take({}, { clock: still });
    for (let i = 0; i < 10; i++) await still.advance(1_000);
    const lock = await later;
    expect(lock.kind).toBe("taken");
    // The silent one sees that it has lost the folder.
    expect(taken[0]?.isHeld()).toBe(false);
    if (lock.kind === "taken") expect(lock.isHeld()).toBe(true);
  });

  it.each([true, false])("is taken by one of many that want it at once (with sockets: %s)", async (hasSockets) => {
    for (let race = 0; race < 20; race++) {
      writeFileSync(join(folder, "lock"), "999999999 1\n");
      writeFileSync(join(folder, "lock.00000000000000ff"), JSON.stringify({ ...ownSpace(), hasSocket: true }));
      const folderLocks = await Promise.all(Array.from({ length: 4 }, () => take({}, { hasSockets })));
      const winners = folderLocks.filter(({ kind }) => kind === "taken");
      if (hasSockets) expect(winners).toHaveLength(1);
      else expect(winners.length).toBeLessThanOrEqual(1);
      for (const each of taken.splice(0)) each.release();
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(["", "nonsense", "999999999 1\n", `${process.pid} another-start\n`])(
    "is free if the lock of an earlier version has the content %j",
    async (text) => {
      writeFileSync(join(folder, "lock"), text);
      expect((await take()).kind).toBe("taken");
      expect(existsSync(join(folder, "lock"))).toBe(false);
    },
  );

  it("is free if its flag is damaged and nobody listens", async () => {
    writeFileSync(join(folder, "lock.00000000000000ff"), "nonsense");
    expect((await take()).kind).toBe("taken");
  });

  it.skipIf(process.platform !== "linux")(
    "is free if its holder was killed and is only not collected yet",
    async () => {
      // The shell becomes a program that does not ask for the exit code of the child that the shell has started.
      const parent = spawn("sh", ["-c", "sleep 1000 & echo $!; exec sleep 1000"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      const pid = Number(String((await once(parent.stdout, "data"))[0]));
      // The shell itself would ask for the exit code.
      while (readFileSync(`/proc/${parent.pid}/comm`, "utf8") !== "sleep\n") await systemClock.sleep(10);
      const stat = () => readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /, "").split(" ");
      writeFileSync(join(folder, "lock"), `${pid} ${stat()[19]}\n`);
      expect(await take()).toEqual({ kind: "held", holder: { pid, elsewhere: undefined } });
      process.kill(pid, "SIGKILL");
      while (stat()[0] !== "Z") await systemClock.sleep(10);
      expect((await take()).kind).toBe("taken");
      parent.kill("SIGKILL");
    },
  );

  it("that does not exist is locked by no process", async () => {
    await expect(takeFolder(join(folder, "missing"))).rejects.toMatchObject({ code: "lib/storage" });
  });
});
