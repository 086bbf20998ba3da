import { expect, it } from "vitest";
import { assembleTraces } from "../../../src/history/ingest/traces/assembleTraces.ts";
import { TraceMemory } from "../../../src/history/ingest/traces/TraceMemory.ts";
import { applyDecisions, decideTraces } from "../../../src/history/scope/decideTraces.ts";
import type { Address } from "../../../src/model/Address.ts";
import { accountNamed, message, named, transaction } from "../../kit/history/traceBlocks.ts";

const day = 86_400;
const [caller, inside] = [accountNamed("caller"), accountNamed("inside")];
const call = (block: number) => message(`call ${block}`, caller, caller);

/**
 * A contract that calls itself in every block, twenty hours after the call before; block 4 is on an account of the
 * scope.
 */
function runBlocks(count: number) {
  const memory = new TraceMemory();
  return Array.from({ length: count }, (_, index) => {
    const mcSeqno = index + 1;
    const account: Address = mcSeqno === 4 ? inside : caller;
    const received = index === 0 ? message("external", undefined, caller) : call(index);
    const seen = {
      ...transaction({
        name: `run ${mcSeqno}`,
        account,
        lt: BigInt(mcSeqno),
        mcSeqno,
        received,
        sent: [call(mcSeqno)],
      }),
      now: index * 72_000,
    };
    const step = assembleTraces(memory, { mcSeqno, transactions: [seen], normalized: new Map() });
    const place = { now: seen.now, isFirstSegment: true };
    const decisions = decideTraces(step, [seen], new Set([inside]), place);
    const settled = applyDecisions(step, decisions, memory);
    memory.apply(settled);
    const { kept, undecided, released, dropped, forgotten } = decisions;
    return {
      traceId: step.traceIds.get(seen.hash),
      state: step.touched[0]?.row.state,
      ...{ kept: [...kept], undecided: [...undecided.keys()], released, dropped, forgotten: [...forgotten] },
      opened: settled.openEdges.map(({ msgHash }) => msgHash),
      closed: settled.closedEdges,
      left: memory.openTraces,
    };
  });
}

it("forgets an open trace that does not touch the scope for a day; what follows is another trace", () => {
  expect(72_000 * 2).toBeGreaterThan(day);
  const [first, third] = [named("run 1"), named("run 3")];
  const nothing = { kept: [], undecided: [], released: [], dropped: [], forgotten: [], opened: [], closed: [] };
  expect(runBlocks(4)).toEqual([
    { ...nothing, traceId: first, state: "pending", undecided: [first], opened: [named("call 1")], left: 1 },
    {
      ...{ ...nothing, traceId: first, state: "pending", undecided: [first], left: 1 },
      ...{ opened: [named("call 2")], closed: [named("call 1")] },
    },
    // Forgotten with the message that it has just sent.
    {
      ...{ ...nothing, traceId: first, state: "pending", left: 0 },
      ...{ dropped: [first], forgotten: [first], closed: [named("call 2")] },
    },
    // The message is known to nobody, so that its receiver begins a broken trace.
    {
      ...nothing,
      traceId: named("run 4"),
      state: "broken",
      kept: [named("run 4")],
      opened: [named("call 4")],
      left: 1,
    },
  ]);
  expect(third).toBe(named("run 3"));
});

it("decides a broken trace without open messages when no earlier block will be indexed", () => {
  const received = message("unknown", accountNamed("sender"), caller);
  const traceTransaction = transaction({ name: "last", account: caller, lt: 5n, mcSeqno: 5, received });
  const step = assembleTraces(new TraceMemory(), {
    mcSeqno: 5,
    transactions: [traceTransaction],
    normalized: new Map(),
  });
  const decide = (isFirstSegment: boolean) => [
    ...decideTraces(step, [traceTransaction], new Set(), {
      now: traceTransaction.now,
      isFirstSegment,
    }).undecided.keys(),
  ];
  expect(decide(false)).toEqual([traceTransaction.hash]);
  expect(decide(true)).toEqual([]);
});
