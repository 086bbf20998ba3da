import { expect, it } from "vitest";
import { countingSink } from "../../../src/history/ingest/countingSink.ts";
import { batchOf } from "../../kit/history/databaseRows.ts";
import { accountNamed, named } from "../../kit/history/traceBlocks.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

it("counts commits, their time and the rows of all tables, and passes failures on", async () => {
  const clock = new ManualClock();
  const edges = [{ msgHash: named("message"), traceId: named("trace") }];
  const whitelist = [{ vestingAddress: accountNamed("vesting"), walletAddress: accountNamed("wallet") }];
  let fails = false;
  const sink = countingSink(
    {
      commit: async () => {
        await clock.advance(250);
        if (fails) throw new Error("the disk is full");
      },
    },
    clock,
  );
  const batches = [batchOf(1, { openEdges: edges }, { vestingWhitelist: whitelist }), batchOf(2)];
  await sink.commit(batches, { firstSeqno: 1, nextSeqno: 1 });
  expect(sink.counters).toEqual({ commits: 1, seconds: 0.25, rows: 2 });
  fails = true;
  await expect(sink.commit(batches, { firstSeqno: 1, nextSeqno: 1 })).rejects.toThrow("the disk is full");
  expect(sink.counters).toEqual({ commits: 1, seconds: 0.25, rows: 2 });
});
