import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HistoryError } from "../../../src/history/errors.ts";
import { Indexer } from "../../../src/history/ingest/Indexer.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { openFresh } from "../../kit/history/database.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";
import { flushPromises, ManualClock } from "../../kit/suite/ManualClock.ts";

const backoff = { firstMs: 1000, factor: 2, maxMs: 3000 };
const options = { from: "genesis", to: 3, network: "testnet", backoff } as const;
/** Fixed values: waits have nearly their maximum length. */
const random = { bytes: (length: number) => new Uint8Array(length), next: () => 0.999999, int: () => 0 };

let stage: IndexStage;
let database: Database;
beforeAll(async () => {
  stage = await openIndexStage(importSplitChain());
  database = await openFresh("postgres");
});
afterAll(async () => {
  await database.close();
  await stage.close();
});

/** Lets pending work run until the condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await flushPromises();
}

describe("an index that cannot continue", () => {
  it("reports why, and waits longer before each retry", async () => {
    const clock = new ManualClock(1_700_000_000_000);
    let isBroken = true;
    const sink = {
      commit: async () => {
        if (isBroken) throw new HistoryError("history/full", "no room is left");
      },
    };
    const indexer = new Indexer({ ...stage.modules, database, clock, random, sink }, options);
    const running = indexer.run(new AbortController().signal);
    for (const [attempt, waitMs] of [1000, 2000, 3000, 3000].entries()) {
      await until(() => indexer.status().workers[0]?.failure?.attempt === attempt + 1);
      const { kind, workers } = indexer.status();
      const now = Math.round(clock.now() / 1000);
      expect([kind, workers[0]?.nextSeqno, workers[0]?.failure]).toEqual([
        "failing",
        1,
        {
          code: "history/full",
          message: "no room is left",
          attempt: attempt + 1,
          failedAt: now,
          nextTryAt: now + waitMs / 1000,
        },
      ]);
      if (attempt === 3) isBroken = false;
      await clock.advance(waitMs);
    }
    await running;
    expect(indexer.status()).toMatchObject({ kind: "done", head: 40, lastSeqno: 3, failure: undefined });
  });

  it("reports that it could not start, and starts when it can", async () => {
    const clock = new ManualClock();
    let isDown = true;
    const heads = {
      reach: async () => {
        if (isDown) throw new LiteError("lite/none", "no server is left");
        return stage.ledger.headId;
      },
    };
    const sink = { commit: async () => {} };
    const indexer = new Indexer({ ...stage.modules, database, clock, random, heads, sink }, options);
    expect(indexer.status().kind).toBe("starting");
    const running = indexer.run(new AbortController().signal);
    await until(() => indexer.status().failure !== undefined);
    expect(indexer.status()).toMatchObject({
      kind: "failing",
      workers: [],
      failure: { code: "lite/none", attempt: 1 },
    });
    isDown = false;
    await clock.advance(1000);
    await running;
    expect(indexer.status().kind).toBe("done");
  });

  it("stops only by its signal, with its reason", async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const sink = {
      commit: async () => {
        throw new Error("a mistake of ours");
      },
    };
    const indexer = new Indexer({ ...stage.modules, database, clock, random, sink }, options);
    const running = indexer.run(stop.signal);
    await until(() => indexer.status().workers[0]?.failure !== undefined);
    expect(indexer.status().workers[0]?.failure).toMatchObject({
      code: "unexpected",
      message: "a mistake of ours",
    });
    const reason = new HistoryError("history/locked", "another writer came");
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(indexer.status().kind).toBe("stopped");
  });
});
