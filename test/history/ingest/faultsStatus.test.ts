import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseSink } from "../../../src/history/ingest/databaseSink.ts";
import { Indexer } from "../../../src/history/ingest/Indexer.ts";
import type { IndexerStatus } from "../../../src/history/ingest/IndexStatus.ts";
import { openSource } from "../../../src/history/ingest/source/BlockSource.ts";
import { type Clock, systemClock } from "../../../src/lib/clock.ts";
import { throwIfAborted } from "../../../src/lib/deadline.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { type Dump, type FaultTrials, openFaultTrials } from "../../kit/history/faultTrials.ts";
import { type Fault, faultyDatabase, type Operation } from "../../kit/history/indexFaults.ts";
import { ledgerHeads } from "../../kit/history/indexStage.ts";
import { dumpIndex } from "../../kit/history/indexTables.ts";
import { growSplitChain } from "../../kit/localnet/splitChain.ts";
import { flushPromises, ManualClock } from "../../kit/suite/ManualClock.ts";

/** Fixed values: waits have nearly their maximum length. */
const random = { bytes: (length: number) => new Uint8Array(length), next: () => 0.999999, int: () => 0 };

let trials: FaultTrials;
let half: Dump;
let whole: Dump;
beforeAll(async () => {
  trials = await openFaultTrials();
  half = await trials.index({ to: 3 });
  whole = await trials.index({ to: 8 });
});
afterAll(() => trials?.close());

let stop: AbortController;
let running: Promise<void>;
beforeEach(async () => {
  stop = new AbortController();
  running = Promise.resolve();
  await trials.clear();
});
// An indexer left over by a failed test would keep the lock from the next one.
afterEach(async () => {
  stop.abort();
  await Promise.allSettled([running]);
});

/** Lets pending work run until the condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await flushPromises();
}

describe("an index whose writer fails", () => {
  it.each([
    ["statement", "full", "history/full", "no space left on device"],
    ["statement", "statement", "history/sql", "division by zero"],
    ["statement", "connection", "history/database", ""],
    ["commit", "unheard", "history/database", "the answer to a commit was not heard"],
  ] as const)("is readable as before and reports the reason (%s, %s)", async (where, what, code, message) => {
    await trials.index({ to: 3 });
    const clock = new ManualClock();
    let isBroken = true;
    const trouble = (operation: Operation): Fault | undefined => (isBroken && operation === where ? what : undefined);
    const { part: database } = faultyDatabase(trials.database, trouble);
    const backoff = { firstMs: 4000, factor: 2, maxMs: 60_000 };
    const indexer = trials.stage.indexer({ to: 8, backoff }, { database, clock, random });
    running = indexer.run(stop.signal);
    for (const [attempt, waitMs] of [4000, 8000].entries()) {
      const now = Math.round(clock.now() / 1000);
      await until(() => indexer.status().workers[0]?.failure?.failedAt === now);
      const { kind, workers } = indexer.status();
      expect(kind).toBe("failing");
      expect(workers[0]?.failure).toEqual({
        code,
        message: expect.stringContaining(message),
        attempt: attempt + 1,
        failedAt: now,
        nextTryAt: now + waitMs / 1000,
      });
      if (what !== "unheard") expect(await dumpIndex(trials.database)).toEqual(half);
      if (attempt === 1) isBroken = false;
      await clock.advance(waitMs);
    }
    await running;
    expect(await dumpIndex(trials.database)).toEqual(whole);
    expect(indexer.status()).toMatchObject({ kind: "done", lastSeqno: 8, failure: undefined });
  });
});

describe("an index on a machine whose clock is set", () => {
  it("has every row once, and never reports a negative lag", async () => {
    const { ledger, grow } = growSplitChain(1);
    const lastUtime = (): number => Number(indexer.status().lastUtime ?? 0);
    const jumps = [0, 31_536_000, -31_536_000, 5, -5, 86_400, -86_400, 0];
    let nowSeconds = 1_700_000_000;
    const clock: Clock = { ...systemClock, now: () => nowSeconds * 1000 };
    const reported: IndexerStatus[] = [];
    const expected: number[] = [];
    const heads = {
      reach: async (seqno: number, signal: AbortSignal) => {
        if (ledger.headId.seqno < seqno) {
          // Everything is indexed: set the time and let the chain grow.
          await until(() => signal.aborted || indexer.status().lastSeqno === ledger.headId.seqno);
          throwIfAborted(signal);
          nowSeconds = lastUtime() + (jumps[reported.length] ?? 0);
          expected.push(Math.max(0, jumps[reported.length] ?? 0));
          reported.push(indexer.status());
          if (ledger.headId.seqno === 8) stop.abort();
          else grow();
        }
        return ledgerHeads(ledger).reach(seqno, signal);
      },
    };
    const server = trials.stage.server;
    let commits = 0;
    const { part: database } = faultyDatabase(trials.database, (operation) => {
      // Midway a commit fails, and the clock is set back during the wait for the retry.
      if (operation !== "commit" || ++commits !== 4) return undefined;
      nowSeconds -= 86_400;
      return "connection";
    });
    const backoff = { firstMs: 1, factor: 1, maxMs: 1 };
    const source = openSource({ server, heads, clock, random: seededRandom("jumps") }, { ahead: 1 });
    const own = { database, source, heads, clock, sink: databaseSink(database) };
    const follow = { from: "genesis", network: "testnet", backoff } as const;
    const indexer = new Indexer({ ...trials.stage.modules, ...own }, follow);
    running = indexer.run(stop.signal);
    await expect(running).rejects.toMatchObject({ code: "lib/aborted" });
    expect(await dumpIndex(trials.database)).toEqual(whole);
    expect(reported.map(({ lagSeconds }) => lagSeconds)).toEqual(expected);
    for (const { kind, workers } of reported) {
      expect(kind).toBe("following");
      expect(workers.map(({ blocksLeft, secondsLeft, failure }) => ({ blocksLeft, secondsLeft, failure }))).toEqual([
        { blocksLeft: 0, secondsLeft: 0, failure: undefined },
      ]);
      expect(workers.every(({ blocksPerSecond }) => blocksPerSecond >= 0 && Number.isFinite(blocksPerSecond))).toBe(
        true,
      );
    }
  });
});
