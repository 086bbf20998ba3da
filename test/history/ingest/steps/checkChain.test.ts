import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Indexer } from "../../../../src/history/ingest/Indexer.ts";
import { blocks } from "../../../../src/history/store/schema/tables.ts";
import type { BlockIdExt } from "../../../../src/model/block/BlockId.ts";
import { readTable } from "../../../kit/history/databaseRows.ts";
import { type IndexStage, openIndexStage } from "../../../kit/history/indexStage.ts";
import { named } from "../../../kit/history/traceBlocks.ts";
import { importSplitChain } from "../../../kit/localnet/splitChain.ts";

const backoff = { firstMs: 1, factor: 1, maxMs: 1 };
let stage: IndexStage;

beforeAll(async () => {
  stage = await openIndexStage(importSplitChain());
  await stage.indexer({ to: 5 }).run(new AbortController().signal);
});
afterAll(() => stage.close());

/** Runs an indexer until it ends or reports a failure; returns the code of the failure. */
async function failureOf(indexer: Indexer): Promise<string | undefined> {
  const stop = new AbortController();
  const running = indexer.run(stop.signal).catch(() => {});
  for (;;) {
    const { kind, failure, workers } = indexer.status();
    const code = failure?.code ?? workers[0]?.failure?.code;
    if (kind === "done" || code !== undefined) {
      stop.abort();
      await running;
      return code;
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function setRootHash(seqno: number, rootHash: string): Promise<void> {
  const sql = "update blocks set root_hash = $1::bytea where workchain = -1 and seqno = $2";
  await stage.database.write((session) => session.query(sql, [`\\x${rootHash}`, String(seqno)]));
}

/** Runs work with an index whose block belongs to another chain. */
async function withFork<T>(seqno: number, work: (own: BlockIdExt) => Promise<T>): Promise<T> {
  const own = (await readTable(stage.database, blocks)).find((row) => row.workchain === -1 && row.seqno === seqno);
  if (own === undefined) throw new Error(`block ${seqno} is not indexed`);
  await setRootHash(seqno, named("fork"));
  return work(own).finally(() => setRootHash(seqno, own.rootHash));
}

describe("an index", () => {
  it("is not continued when its last block is not the predecessor of the next", async () => {
    expect(await withFork(5, () => failureOf(stage.indexer({ to: 7, backoff })))).toBe("history/foreign");
  });

  it("is refused at once if the head of a truncated chain differs", async () => {
    const code = await withFork(4, (own) =>
      failureOf(stage.indexer({ to: 7, backoff }, { heads: { reach: async () => own } })),
    );
    expect(code).toBe("history/foreign");
  });

  it("is continued on its own chain", async () => {
    expect(await failureOf(stage.indexer({ to: 7, backoff }))).toBeUndefined();
  });
});
