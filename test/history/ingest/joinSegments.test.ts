import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { joinSegments } from "../../../src/history/ingest/joinSegments.ts";
import { assembleTraces } from "../../../src/history/ingest/traces/assembleTraces.ts";
import { loadTraceMemory } from "../../../src/history/ingest/traces/TraceMemory.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { listSegments } from "../../../src/history/store/schema/checkpoint.ts";
import type { BatchRows } from "../../../src/history/store/write/BatchRows.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { commitBatch } from "../../kit/history/commitBatch.ts";
import { enginesOfStatements, openFresh } from "../../kit/history/database.ts";
import { batchOf, emptyAll, readAll } from "../../kit/history/databaseRows.ts";
import { accountNamed, transactionRow } from "../../kit/history/traceBlocks.ts";
import { anyTrees, growTrees, type TreeChain } from "../../kit/history/traceTrees.ts";
import { repeats } from "../../kit/suite/everything.ts";

const lastSeqno = 6;

/** Indexes some blocks as their own segment; every transaction is also a token transfer. */
async function indexSegment(database: Database, { blocks }: TreeChain, first: number, last: number): Promise<void> {
  for (let mcSeqno = first; mcSeqno <= last; mcSeqno++) {
    const memory = await loadTraceMemory(database, { firstSeqno: first, nextSeqno: last + 1 });
    const transactions = (blocks.get(mcSeqno) ?? []).sort((a, b) => Number(a.lt - b.lt));
    // Logical times of random trees may repeat, so accounts make rows unique.
    const apart = transactions.map((traceTransaction) => ({
      ...traceTransaction,
      account: accountNamed(traceTransaction.hash),
    }));
    const step = assembleTraces(memory, { mcSeqno, transactions: apart, normalized: new Map<Hash, Hash>() });
    const traceOf = (hash: Hash): Hash => step.traceIds.get(hash) ?? hash;
    const complete = step.touched.filter(({ row, isWhole }) => row.state === "complete" && isWhole);
    const rows: Partial<BatchRows> = {
      transactions: apart.map((seen) => transactionRow(seen, traceOf(seen.hash))),
      jettonTransfers: apart.map((seen) => transferRow(seen.hash, seen.account, seen.lt, traceOf(seen.hash))),
      traces: step.touched.map(({ row }) => row),
      openEdges: step.openEdges,
      closedEdges: step.closedEdges,
      traceAccounts: complete.flatMap(({ row: { traceId, endLt, endUtime }, seen }) =>
        seen.map(({ account }) => ({ account, endLt, traceId, endUtime })),
      ),
    };
    await commitBatch(database, batchOf(mcSeqno, rows), { firstSeqno: first });
  }
}

function transferRow(
  txHash: Hash,
  account: ReturnType<typeof accountNamed>,
  txLt: bigint,
  traceId: Hash,
): BatchRows["jettonTransfers"][number] {
  return {
    txHash,
    txLt,
    txNow: 1,
    txAborted: false,
    mcSeqno: 1,
    traceId,
    queryId: 0n,
    amount: 1n,
    source: account,
    destination: undefined,
    sourceWallet: account,
    jettonMaster: account,
    responseDestination: undefined,
    customPayload: undefined,
    forwardTonAmount: undefined,
    forwardPayload: undefined,
  };
}

describe.each(enginesOfStatements)("segments that meet (%s)", (engine) => {
  let database: Database;

  beforeAll(async () => {
    database = await openFresh(engine);
  });
  afterAll(() => database.close());

  it("are joined to the same rows as one segment", async () => {
    const border = fc.integer({ min: 2, max: lastSeqno });
    const parameters = { numRuns: repeats({ usual: 5, all: 12 }), seed: 20 };
    await fc.assert(
      fc.asyncProperty(anyTrees(3), border, async (trees, firstOfLater) => {
        const chain = growTrees(trees, lastSeqno);
        await emptyAll(database);
        await indexSegment(database, chain, 1, lastSeqno);
        const { trace_accounts: wholeAccounts, ...whole } = await readAll(database);
        await emptyAll(database);
        await indexSegment(database, chain, firstOfLater, lastSeqno);
        await indexSegment(database, chain, 1, firstOfLater - 1);
        const [earlier, later] = await listSegments(database);
        if (earlier === undefined || later === undefined) throw new Error("two segments were to be made");
        const completed = await database.write((session) => joinSegments(session, earlier, later));
        const { trace_accounts: accounts, ...joined } = await readAll(database);
        expect(joined).toEqual(whole);
        // The whole segment writes accounts only for traces in memory; the join writes those of the traces it
        // completed.
        const ofJoined = new Set<unknown>(completed);
        const reported = (accounts as { traceId: Hash }[]).filter(({ traceId }) => ofJoined.has(traceId));
        const nodes = (joined.traces as { traceId: Hash; nodes: number }[]).filter(({ traceId }) =>
          ofJoined.has(traceId),
        );
        expect(reported).toHaveLength(nodes.reduce((sum, trace) => sum + trace.nodes, 0));
        expect(wholeAccounts?.length ?? 0).toBeLessThanOrEqual(accounts?.length ?? 0);
      }),
      parameters,
    );
  });
});
