import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemFiles } from "../../src/lib/files/FileSystem.ts";
import { Localnet } from "../../src/localnet/network/Localnet.ts";
import { inspectChain } from "../../src/localnet/store/inspectChain.ts";
import { resumeRestore } from "../../src/localnet/store/restoreSteps.ts";
import { SnapshotFolder } from "../../src/localnet/store/SnapshotFolder.ts";
import type { BlockIdExt } from "../../src/model/block/BlockId.ts";
import { type ChainKit, openChainKit, recordLog } from "../kit/localnet/localChain.ts";
import { Crash, RememberingFiles } from "../kit/localnet/RememberingFiles.ts";
import { testSeed } from "../kit/localnet/testKeys.ts";
import { repeats } from "../kit/suite/everything.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

let kit: ChainKit;
let place: string;
beforeAll(async () => {
  kit = await openChainKit();
  place = mkdtempSync(join(tmpdir(), "tongate-power-"));
});
afterAll(async () => {
  await kit.close();
  rmSync(place, { recursive: true, force: true });
});

/** Makes rounds until the process ends at a step; returns the blocks that were published. */
async function makeUntilCrash(folder: string, files: RememberingFiles): Promise<readonly BlockIdExt[]> {
  const published: BlockIdExt[] = [];
  const clock = new ManualClock();
  const options = { seed: testSeed, pace: { kind: "manual" as const }, keys: kit.keys, folder };
  try {
    const net = await Localnet.open(options, { clock, executor: kit.executor, log: recordLog(), files });
    for (let round = 0; round < 8; round++) {
      await clock.advance(1_000);
      published.push((await net.step()).id);
    }
    await net.close();
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return published;
}

describe("a loss of power", () => {
  it("loses no published block, at whatever step of writing it happens", async () => {
    const counted = mkdtempSync(join(place, "whole-"));
    const whole = new RememberingFiles(counted);
    await makeUntilCrash(join(counted, "localnet"), whole);
    const every = repeats({ usual: 9, all: 1 });
    for (let step = 2; step <= whole.steps; step += every) {
      const root = mkdtempSync(join(place, "before-"));
      const files = new RememberingFiles(root, step);
      const published = await makeUntilCrash(join(root, "localnet"), files);
      const after = join(mkdtempSync(join(place, "after-")), "data");
      files.leaveSynced(after);
      const { net } = await kit.open({ folder: join(after, "localnet") });
      for (const id of published) expect([step, net.ledger.findBlock(id)?.id]).toEqual([step, id]);
      await net.step();
      await net.close();
    }
    expect(whole.steps).toBeGreaterThan(20);
  });
});

describe("a restore that ends at any step", () => {
  let template: string;
  beforeAll(async () => {
    template = join(place, "template");
    const chain = await kit.open({ folder: join(template, "localnet") });
    const snapshots = new SnapshotFolder(join(template, "snapshots"), { files: systemFiles, log: recordLog() });
    await chain.rounds(3);
    const { seqno } = chain.net.ledger.headId;
    await snapshots.make("early", { seqno, chainTime: 1, madeAt: 1 }, (path) => chain.net.archive(path));
    await chain.rounds(4);
    await chain.net.close();
  });

  /** Restores the snapshot, and undoes that if wanted, until the process ends at a step. */
  async function restoreUntilCrash(root: string, files: RememberingFiles, isUndone: boolean): Promise<void> {
    const folder = join(root, "localnet");
    try {
      const snapshots = new SnapshotFolder(join(root, "snapshots"), { files, log: recordLog() });
      const { commit } = await snapshots.prepare("early", folder);
      const { undo } = await commit();
      if (isUndone) await undo();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }

  it.each([
    [false, "is killed"],
    [true, "is killed"],
    [false, "loses power"],
    [true, "loses power"],
  ])("leaves one of the two chains whole (undone: %s; the process %s)", async (isUndone, end) => {
    const heads = new Set<number>();
    let isEnded = false;
    for (let step = 1; !isEnded; step += repeats({ usual: 4, all: 1 })) {
      const root = mkdtempSync(join(place, "restore-"));
      cpSync(template, root, { recursive: true });
      const files = new RememberingFiles(root, step);
      await restoreUntilCrash(root, files, isUndone);
      isEnded = files.steps < step;
      const after = end === "is killed" ? root : join(root, "left");
      if (end !== "is killed") files.leaveSynced(after);
      const folder = join(after, "localnet");
      resumeRestore(folder, { files: systemFiles, log: recordLog() });
      const { seqno, problem } = await inspectChain(folder, systemFiles);
      expect([step, problem]).toEqual([step, undefined]);
      expect([5, 9]).toContain(seqno);
      heads.add(seqno);
      // The old chain is there, in its place or aside.
      if (seqno === 5) {
        const replaced = await inspectChain(join(folder, "replaced", "1"), systemFiles);
        expect([step, replaced.seqno, replaced.problem]).toEqual([step, 9, undefined]);
      }
      rmSync(root, { recursive: true });
    }
    expect(heads).toEqual(new Set([5, 9]));
  });

  it("keeps the replaced chain until the restored one has made a block", async () => {
    const root = mkdtempSync(join(place, "kept-"));
    cpSync(template, root, { recursive: true });
    const folder = join(root, "localnet");
    const snapshots = new SnapshotFolder(join(root, "snapshots"), { files: systemFiles, log: recordLog() });
    for (let i = 0; i < 2; i++) {
      const { commit } = await snapshots.prepare("early", folder);
      await commit();
    }
    expect((await inspectChain(join(folder, "replaced", "1"), systemFiles)).seqno).toBe(9);
    expect((await inspectChain(join(folder, "replaced", "2"), systemFiles)).seqno).toBe(5);
    const { net, rounds } = await openRounds(folder);
    expect(net.ledger.headId.seqno).toBe(5);
    expect(systemFiles.exists(join(folder, "replaced"))).toBe(true);
    await rounds(1);
    expect(systemFiles.exists(join(folder, "replaced"))).toBe(false);
    await net.close();
  });

  async function openRounds(folder: string) {
    const chain = await kit.open({ folder });
    return { net: chain.net, rounds: (count: number) => chain.rounds(count) };
  }
});
