import { expect, it } from "vitest";
import { makeSelfCalling } from "../../../../kit/attacks/manyMessages.ts";
import { describeEmulated, emulatedTransactions } from "../../../../src/api/v3/pending/emulated.ts";
import { emptyCell } from "../../../../src/cell/Builder.ts";
import { crcForm, writeBoc } from "../../../../src/cell/boc.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { runEmulation } from "../../../../src/chain/run/emulationRun.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { runAtOnce } from "../../../../src/lib/sharing/steps.ts";
import { zeroHash } from "../../../../src/model/Hash.ts";
import { openExecutor } from "../../../../src/tvm/run/openExecutor.ts";
import { atThisSpeed } from "../../../kit/attacks/atThisSpeed.ts";
import { longestStepMs } from "../../../kit/attacks/longestStepMs.ts";
import { makeCellTree } from "../../../kit/cell/cellTrees.ts";
import { refusalCode } from "../../../kit/suite/refusal.ts";
import { readSmallConfig, testNow } from "../../../kit/tvm/tvmValues.ts";

/** The predicted transactions of a contract that sends itself messages, which begins with this body. */
async function emulateSelfCalling(fanOut: number, body: Cell = emptyCell) {
  const message = makeSelfCalling(fanOut, body);
  const hash = message.hash();
  const executor = await openExecutor({}, { clock: systemClock });
  const run = await runEmulation(
    {
      ...{ config: readSmallConfig(), message, randomSeed: zeroHash, maxTransactions: 5, maxDepth: 8, mcSeqno: 1 },
      ...{ externalHash: hash, normalizedHash: hash, now: testNow, lt: 1_000_000n },
    },
    { executor, loadAccount: async () => undefined },
    new AbortController().signal,
  );
  await executor.close();
  if (run.kind !== "done") throw new Error(`not accepted: ${run.exitCode}`);
  return { transactions: run.transactions, sent: { hash, normalizedHash: hash }, globalVersion: 11 };
}

it("encodes the equal bodies of predicted messages once", async () => {
  const described = await emulatedTransactions(await emulateSelfCalling(20));
  const bags = described.flatMap(({ outMessages }) => outMessages.map(({ body }) => body?.boc));
  expect([described.length, bags.length, new Set(bags).size]).toEqual([5, 100, 1]);
});

it("writes a large body in short steps", async () => {
  const body = makeCellTree(20_000, 1);
  const run = await emulateSelfCalling(1, body);
  const [first] = runAtOnce(describeEmulated(run));
  expect(writeBoc(body, crcForm).equals(first?.inMessage?.body?.boc ?? Buffer.alloc(0))).toBe(true);
  // The best of several: the first ones also compile the code, and a collection is not work of the program.
  const times = Array.from({ length: 5 }, () => longestStepMs(describeEmulated(run)));
  expect(Math.min(...times)).toBeLessThan(atThisSpeed(10));
});

it("counts the bag of a body as often as it is shown", async () => {
  const run = await emulateSelfCalling(20);
  const [first] = await emulatedTransactions(run);
  const initBytes = first?.inMessage?.init?.boc.length ?? 0;
  const bodyBytes = writeBoc(emptyCell, crcForm).length;
  expect(initBytes).toBeGreaterThan(0);
  // One message begins, five transactions send twenty each, and those of the other four are shown where they arrive,
  // too.
  const shown = initBytes + 105 * bodyBytes;
  expect(runAtOnce(describeEmulated(run, undefined, { maxBagBytes: shown }))).toHaveLength(5);
  expect(refusalCode(() => runAtOnce(describeEmulated(run, undefined, { maxBagBytes: shown - 1 })))).toBe(
    "api/answer-size",
  );
});
