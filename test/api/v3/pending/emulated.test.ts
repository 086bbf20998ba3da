import { expect, it } from "vitest";
import { emulatedTransactions } from "../../../../src/api/v3/pending/emulated.ts";
import { runEmulation } from "../../../../src/chain/run/emulationRun.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { zeroHash } from "../../../../src/model/Hash.ts";
import { openExecutor } from "../../../../src/tvm/run/openExecutor.ts";
import { makeSelfCalling } from "../../../kit/attacks/manyMessages.ts";
import { readSmallConfig, testNow } from "../../../kit/tvm/tvmValues.ts";

it("encodes the equal bodies of predicted messages once", async () => {
  const message = makeSelfCalling(20);
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
  const sent = { hash, normalizedHash: hash };
  const described = emulatedTransactions({ transactions: run.transactions, sent, globalVersion: 11 });
  const bags = described.flatMap(({ transaction }) => transaction.outMessages.map(({ body }) => body?.boc));
  expect([described.length, bags.length, new Set(bags).size]).toEqual([5, 100, 1]);
});
