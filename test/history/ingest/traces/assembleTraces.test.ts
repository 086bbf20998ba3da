import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assembleTraces } from "../../../../src/history/ingest/traces/assembleTraces.ts";
import { TraceMemory } from "../../../../src/history/ingest/traces/TraceMemory.ts";
import type { TraceRow } from "../../../../src/history/store/schema/tables.ts";
import type { Address } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import type { TraceTransaction } from "../../../../src/model/Trace.ts";
import {
  accountNamed,
  message,
  named,
  systemAccount,
  TraceTables,
  transaction,
} from "../../../kit/history/traceBlocks.ts";
import { anyTrees, growTrees, type TreeChain } from "../../../kit/history/traceTrees.ts";

const [alice, bob, carol] = ["alice", "bob", "carol"].map(accountNamed) as [Address, Address, Address];
const none = new Map<Hash, Hash>();

function step(memory: TraceMemory, mcSeqno: number, transactions: readonly TraceTransaction[], normalized = none) {
  const done = assembleTraces(memory, { mcSeqno, transactions, normalized });
  memory.apply(done);
  return { ...done, rows: done.touched.map(({ row }) => row) };
}

function traceRow(parts: Partial<TraceRow> & Pick<TraceRow, "traceId">): TraceRow {
  return {
    externalHash: undefined,
    externalHashNorm: undefined,
    mcSeqnoStart: 1,
    mcSeqnoEnd: 1,
    startLt: 10n,
    startUtime: 1010,
    endLt: 10n,
    endUtime: 1010,
    state: "complete",
    edges: 0,
    nodes: 1,
    pendingEdges: 0,
    classificationState: "unclassified",
    ...parts,
  };
}

describe("the start of a trace", () => {
  it("is a transaction without a message, which has no edge", () => {
    const { rows, traceIds } = step(new TraceMemory(), 1, [
      transaction({ name: "tick", account: alice, lt: 10n, mcSeqno: 1 }),
    ]);
    expect(rows).toEqual([traceRow({ traceId: named("tick") })]);
    expect([...traceIds]).toEqual([[named("tick"), named("tick")]]);
  });

  it("is an external message, with its normalized hash where it differs", () => {
    const received = message("ext", undefined, alice);
    const normalized = new Map([[named("ext"), named("normalized")]]);
    const { rows } = step(
      new TraceMemory(),
      1,
      [transaction({ name: "a", account: alice, lt: 10n, mcSeqno: 1, received })],
      normalized,
    );
    const root = { externalHash: named("ext"), externalHashNorm: named("normalized"), edges: 1 };
    expect(rows).toEqual([traceRow({ traceId: named("a"), ...root })]);
  });

  it("is a message of the chain itself", () => {
    const received = message("sys", systemAccount, alice);
    const { rows } = step(new TraceMemory(), 1, [
      transaction({ name: "a", account: alice, lt: 10n, mcSeqno: 1, received }),
    ]);
    expect(rows).toEqual([traceRow({ traceId: named("a"), externalHash: named("sys"), edges: 1 })]);
  });

  it("is every transaction of a repeated external message", () => {
    const received = message("ext", undefined, alice);
    const memory = new TraceMemory();
    const first = step(memory, 1, [transaction({ name: "a", account: alice, lt: 10n, mcSeqno: 1, received })]);
    const second = step(memory, 2, [transaction({ name: "b", account: alice, lt: 20n, mcSeqno: 2, received })]);
    const root = { externalHash: named("ext"), edges: 1 };
    const later = { mcSeqnoStart: 2, mcSeqnoEnd: 2, startLt: 20n, startUtime: 1020, endLt: 20n, endUtime: 1020 };
    expect([...first.rows, ...second.rows]).toEqual([
      traceRow({ traceId: named("a"), ...root }),
      traceRow({ traceId: named("b"), ...root, ...later }),
    ]);
  });

  it("is a message with an unknown sender; the trace is broken and stays broken", () => {
    const memory = new TraceMemory();
    const lost = message("lost", carol, alice);
    const sent = message("sent", alice, bob);
    const first = step(memory, 1, [
      transaction({ name: "a", account: alice, lt: 10n, mcSeqno: 1, received: lost, sent: [sent] }),
    ]);
    const second = step(memory, 2, [transaction({ name: "b", account: bob, lt: 20n, mcSeqno: 2, received: sent })]);
    const broken = { traceId: named("a"), externalHash: named("lost"), state: "broken" } as const;
    expect(first.rows).toEqual([traceRow({ ...broken, pendingEdges: 1 })]);
    const end = { mcSeqnoEnd: 2, endLt: 20n, endUtime: 1020 };
    expect(second.rows).toEqual([traceRow({ ...broken, ...end, nodes: 2, edges: 1 })]);
    expect([memory.openEdges, memory.openTraces]).toEqual([0, 0]);
  });

  it("is a message that is older than every block: nobody sent it, as the owner of a local network does", () => {
    const memory = new TraceMemory();
    const received = { ...message("forged", carol, alice), createdLt: 7n };
    const { rows } = step(memory, 1, [transaction({ name: "a", account: alice, lt: 10n, mcSeqno: 1, received })]);
    expect(rows).toEqual([traceRow({ traceId: named("a"), externalHash: named("forged"), edges: 1 })]);
  });

  it("is a message of an unknown trace; the trace is broken", () => {
    const memory = new TraceMemory([[named("sent"), named("gone")]]);
    const received = message("sent", bob, alice);
    const { rows, closedEdges } = step(memory, 1, [
      transaction({ name: "a", account: alice, lt: 10n, mcSeqno: 1, received }),
    ]);
    expect(rows).toEqual([traceRow({ traceId: named("a"), externalHash: named("sent"), state: "broken", edges: 1 })]);
    expect(closedEdges).toEqual([named("sent")]);
  });
});

describe("the continuation of a trace", () => {
  const received = message("ext", undefined, alice);
  const first = message("first", alice, bob);
  const second = message("second", alice, carol);
  const log = message("log", alice, undefined);
  const root = transaction({ name: "a", account: alice, lt: 10n, mcSeqno: 1, received, sent: [first, log, second] });

  it("is a message received in the same block or a later one, and a log, which has no receiver", () => {
    const memory = new TraceMemory();
    const inBlock = step(memory, 1, [
      root,
      transaction({ name: "b", account: bob, lt: 12n, mcSeqno: 1, received: first }),
    ]);
    const begun = { traceId: named("a"), externalHash: named("ext") };
    expect(inBlock.rows).toEqual([
      traceRow({ ...begun, state: "pending", edges: 3, nodes: 2, pendingEdges: 1, endLt: 12n, endUtime: 1012 }),
    ]);
    expect(inBlock.openEdges).toEqual([{ msgHash: named("second"), traceId: named("a") }]);
    expect(inBlock.closedEdges).toEqual([]);
    const empty = step(memory, 2, []);
    expect(empty.rows).toEqual([]);
    const later = step(memory, 3, [transaction({ name: "c", account: carol, lt: 30n, mcSeqno: 3, received: second })]);
    const end = { mcSeqnoEnd: 3, endLt: 30n, endUtime: 1030 };
    expect(later.rows).toEqual([traceRow({ ...begun, ...end, edges: 4, nodes: 3 })]);
    expect(later.closedEdges).toEqual([named("second")]);
    expect(later.touched[0]?.seen.map(({ hash }) => hash)).toEqual(["a", "b", "c"].map(named));
    expect(later.touched[0]?.isWhole).toBe(true);
  });

  it("does not move the end back for an older transaction in a later block", () => {
    const memory = new TraceMemory();
    step(memory, 1, [root, transaction({ name: "b", account: bob, lt: 40n, mcSeqno: 1, received: first })]);
    const later = step(memory, 2, [transaction({ name: "c", account: carol, lt: 30n, mcSeqno: 2, received: second })]);
    expect(later.rows.map(({ endLt, endUtime, mcSeqnoEnd }) => [endLt, endUtime, mcSeqnoEnd])).toEqual([
      [40n, 1040, 2],
    ]);
  });

  it.each([
    { max: 0, sinceSeqno: 0, storedBefore: 2 },
    { max: 100, sinceSeqno: 2, storedBefore: 2 },
  ])("is reported without its transactions if they were dropped (%o)", (bounds) => {
    const memory = new TraceMemory();
    step(memory, 1, [root]);
    memory.trim({ max: 1, sinceSeqno: 1, storedBefore: 2 });
    memory.trim({ ...bounds, storedBefore: 1 });
    expect(memory.findTrace(named("a"))?.isWhole).toBe(true);
    memory.trim(bounds);
    const later = step(memory, 2, [transaction({ name: "b", account: bob, lt: 20n, mcSeqno: 2, received: first })]);
    expect(later.touched[0]?.isWhole).toBe(false);
    expect(later.touched[0]?.seen.map(({ hash }) => hash)).toEqual([named("b")]);
    expect(later.rows.map(({ nodes, edges, pendingEdges }) => [nodes, edges, pendingEdges])).toEqual([[2, 3, 1]]);
  });
});

function index({ blocks }: TreeChain, lastSeqno: number, restartsBefore: ReadonlySet<number>): TraceTables {
  const tables = new TraceTables();
  let memory = new TraceMemory();
  for (let mcSeqno = 1; mcSeqno <= lastSeqno; mcSeqno++) {
    if (restartsBefore.has(mcSeqno)) memory = tables.load();
    const transactions = (blocks.get(mcSeqno) ?? []).sort((a, b) => Number(a.lt - b.lt));
    const done = assembleTraces(memory, { mcSeqno, transactions, normalized: none });
    tables.commit(done);
    memory.apply(done);
  }
  return tables;
}

describe("traces of random messages over random blocks", () => {
  it("equal their original trees, however often the assembly restarts", () => {
    const trees = anyTrees(4);
    const restarts = fc.array(fc.integer({ min: 1, max: 8 }));
    fc.assert(
      fc.property(trees, restarts, fc.integer({ min: 4, max: 8 }), (grown, restartsBefore, lastSeqno) => {
        const chain = growTrees(grown, lastSeqno);
        const whole = index(chain, lastSeqno, new Set());
        const byId = (a: TraceRow, b: TraceRow) => (a.traceId < b.traceId ? -1 : 1);
        expect([...whole.traces.values()].sort(byId)).toEqual(chain.expected.sort(byId));
        expect(index(chain, lastSeqno, new Set(restartsBefore))).toEqual(whole);
        const open = [...whole.traces.values()].reduce((sum, { pendingEdges }) => sum + pendingEdges, 0);
        expect(whole.edges.size).toBe(open);
      }),
    );
  });
});
