import { expect, it } from "vitest";
import { makeFacts } from "../../../kit/contracts/corpusFacts.ts";
import { classify } from "../../../src/contracts/classify.ts";
import { MatcherIndex } from "../../../src/contracts/engine/MatcherIndex.ts";
import { matcher } from "../../../src/contracts/engine/matcher.ts";
import { callContract, makeForest, tonTransfer } from "../../../src/contracts/engine/nodes.ts";
import { built, call, firstOf, transfer, where } from "../../../src/contracts/engine/pattern.ts";
import { walk } from "../../../src/contracts/engine/TraceNode.ts";
import { makeMessageTree } from "../../../src/contracts/engine/traceTree.ts";
import { matchers } from "../../../src/contracts/registry.ts";
import { account, comment, makeTestTrace, query, type Step } from "../../kit/model/testTrace.ts";

const [wallet, friend] = [account("wallet"), account("friend")];
const build = () => undefined;
const pattern = call(0x11223344);

const index = new MatcherIndex([
  matcher({ name: "one opcode", pattern, build }),
  matcher({ name: "several opcodes", pattern: call([0x55667788, 0x11223344]), build }),
  matcher({ name: "another opcode", pattern: call(0x55667788), build }),
  matcher({ name: "declared opcodes", pattern: where(() => true), opcodes: [0x11223344], build }),
  matcher({ name: "a transfer", pattern: transfer(), build }),
  matcher({ name: "a kind", pattern: built(callContract), build }),
  matcher({ name: "any node", pattern: where(() => true), build }),
  matcher({ name: "alternatives", pattern: firstOf([pattern]), build }),
]);

function listMarked(steps: readonly Step[]): readonly string[] {
  const tree = makeMessageTree(makeTestTrace(wallet, steps));
  const marks = index.mark(tree === undefined ? [] : walk(makeForest(tree)));
  return index.list.filter((_, at) => marks[at] === 1).map(({ name }) => name);
}

const always = ["any node", "alternatives"];

it("marks the matchers that begin with an opcode or a kind of the trace, and those that may begin anywhere", () => {
  const body = query(0x11223344);
  // The first message of the trace is a call, too.
  expect(listMarked([{ to: friend, body }])).toEqual([
    ...["one opcode", "several opcodes", "declared opcodes", "a kind", ...always],
  ]);
  expect(listMarked([{ to: friend, body: comment("thanks") }])).toEqual(["a transfer", "a kind", ...always]);
});

it("lets a transfer be tested only by matchers that it may begin", () => {
  const { work } = classify(makeTestTrace(wallet, [{ to: friend, body: comment("thanks") }]), makeFacts({}));
  const may = matchers.filter(({ opcodes, kind }) => opcodes === undefined && (kind ?? tonTransfer) === tonTransfer);
  // Each of these looks at the call that sent the transfer, and at the transfer; a few look at what is around.
  expect(work.steps).toBeGreaterThanOrEqual(2 * may.length);
  expect(work.steps).toBeLessThan(2 * may.length + 8);
  expect(matchers.filter(({ opcodes }) => opcodes === undefined).length).toBeGreaterThan(may.length + 4);
});
