import fc from "fast-check";
import type { TraceFilter } from "../../../src/history/queries/traces.ts";
import type { TraceRow } from "../../../src/history/store/schema/tables.ts";
import type { TraceMessage, TraceTransaction } from "../../../src/model/Trace.ts";
import { accountNamed, message, named, transaction } from "./traceBlocks.ts";

const root = accountNamed("alice");

/** A tree of messages: blocks until each is received, logs that its transaction sends, and child messages. */
export interface MessageTree {
  readonly wait: number;
  readonly logs: number;
  readonly children: readonly MessageTree[];
}

/** Trees with at most this many levels below the root. */
function treeOf(levels: number): fc.Arbitrary<MessageTree> {
  return fc.record(
    {
      wait: fc.integer({ min: 0, max: 3 }),
      logs: fc.integer({ min: 0, max: 2 }),
      children: levels === 0 ? fc.constant([]) : fc.array(treeOf(levels - 1), { maxLength: 3 }),
    },
    { noNullPrototype: true },
  );
}

/** Blocks by seqno, and the expected traces. */
export interface TreeChain {
  readonly blocks: Map<number, TraceTransaction[]>;
  readonly expected: TraceRow[];
}

export function anyTrees(levels: number): fc.Arbitrary<MessageTree[]> {
  return fc.array(treeOf(levels), { minLength: 1, maxLength: 4 });
}

/** Blocks that contain these trees, and the expected traces. */
export function growTrees(trees: readonly MessageTree[], lastSeqno: number): TreeChain {
  const blocks = new Map<number, TraceTransaction[]>();
  const expected: TraceRow[] = [];
  const all: TraceTransaction[] = [];
  const grow = (name: string, at: MessageTree, seqno: number, lt: bigint, received: TraceMessage): void => {
    const account = received.destination ?? root;
    const sent = at.children.map((_, i) => message(`${name}.${i}`, account, accountNamed(`account ${i}`)));
    const logs = Array.from({ length: at.logs }, (_, i) => message(`${name} log ${i}`, account, undefined));
    const made = transaction({ name, account, lt, mcSeqno: seqno, received, sent: [...logs, ...sent] });
    all.push(made);
    blocks.set(seqno, [...(blocks.get(seqno) ?? []), made]);
    at.children.forEach((child, i) => {
      const to = sent[i] as TraceMessage;
      const later = seqno + child.wait;
      const childLt = child.wait === 0 ? lt + 1n + BigInt(i) : BigInt(later * 1000 + i);
      if (later <= lastSeqno) grow(`${name}.${i}`, child, later, childLt, to);
    });
  };
  trees.forEach((each, index) => {
    all.length = 0;
    const seqno = 1 + each.wait;
    grow(`${index}`, each, seqno, BigInt(seqno * 1000), message(`ext ${index}`, undefined, root));
    const sent = all.flatMap(({ outMessages }) => outMessages);
    const logs = sent.filter(({ destination }) => destination === undefined).length;
    const pendingEdges = sent.length - logs - (all.length - 1);
    expected.push({
      traceId: named(`${index}`),
      externalHash: named(`ext ${index}`),
      externalHashNorm: undefined,
      mcSeqnoStart: seqno,
      mcSeqnoEnd: Math.max(...all.map(({ mcSeqno }) => mcSeqno)),
      startLt: BigInt(seqno * 1000),
      startUtime: seqno * 1000 + 1000,
      endLt: all.map(({ lt }) => lt).reduce((a, b) => (a > b ? a : b)),
      endUtime: Math.max(...all.map(({ now }) => now)),
      state: pendingEdges === 0 ? "complete" : "pending",
      edges: all.length + logs,
      nodes: all.length,
      pendingEdges,
      classificationState: "unclassified",
    });
  });
  return { blocks, expected };
}

/** A filter that passes every complete trace. */
export const everyTrace: TraceFilter = { traceIds: [], transactions: [], messages: [] };
