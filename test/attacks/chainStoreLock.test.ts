import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownSpace } from "../../src/lib/files/processSpace.ts";
import { repeats } from "../kit/suite/everything.ts";

const races = repeats({ usual: 60, all: 400 });

let place: string;
let folder: string;
let program: string;
const racers: ChildProcess[] = [];

async function startRacer(): Promise<ChildProcess> {
  const racer = fork(program);
  await once(racer, "spawn");
  racers.push(racer);
  return racer;
}

async function tell(racer: ChildProcess, order: string): Promise<string> {
  const answered = once(racer, "message");
  racer.send(order);
  return String((await answered)[0]);
}

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "tongate-races-"));
  folder = mkdtempSync(join(place, "data-"));
  const input = { lockRacer: join(import.meta.dirname, "../kit/localnet/lockRacer.ts") };
  const build = await rolldown({ input, platform: "node", transform: { target: "node20" } });
  await build.write({ dir: place, entryFileNames: "[name].mjs" });
  await build.close();
  program = join(place, "lockRacer.mjs");
  for (let i = 0; i < 4; i++) await startRacer();
});
afterAll(() => {
  for (const racer of racers) racer.kill("SIGKILL");
  rmSync(place, { recursive: true, force: true });
});

describe("processes that want one folder at the same moment", () => {
  it("never get it together, and one gets it, also over a stale lock", async () => {
    for (let race = 0; race < races; race++) {
      if (race % 2 === 0) {
        // Of a process that was killed, and of one of an earlier version.
        writeFileSync(join(folder, `lock.${"0".repeat(14)}ff`), JSON.stringify({ ...ownSpace(), hasSocket: true }));
        writeFileSync(join(folder, "lock"), "999999999 1\n");
      }
      const found = await Promise.all(racers.map((racer) => tell(racer, folder)));
      expect([race, found.filter((kind) => kind === "taken").length]).toEqual([race, 1]);
      for (const racer of racers) await tell(racer, "release");
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it("get it after its holder was killed", async () => {
    const [first, second] = racers;
    const victim = await startRacer();
    if (first === undefined || second === undefined) throw new Error("there are no racers");
    expect(await tell(victim, folder)).toBe("taken");
    expect(await tell(first, folder)).toBe("held");
    victim.kill("SIGKILL");
    await once(victim, "exit");
    racers.splice(racers.indexOf(victim), 1);
    const found = await Promise.all(racers.map((racer) => tell(racer, folder)));
    expect(found.filter((kind) => kind === "taken")).toHaveLength(1);
    for (const racer of racers) await tell(racer, "release");
  });
});
