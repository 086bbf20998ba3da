import type { Chain } from "../../../src/chain/Chain.ts";
import { LiveChains } from "../../../src/chain/LiveChains.ts";
import { serverSource } from "../../../src/chain/serverSource.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";

async function notRun(): Promise<never> {
  throw new Error("no code is run in this test");
}

/** For tests that run no code. */
export const noExecutor: Executor = {
  supportedGlobalVersion: 0,
  runGetMethod: notRun,
  runTransaction: notRun,
  runAcceptance: notRun,
  runTickTock: notRun,
};

/** A ledger's newest block in the form that a request sees. */
export function openChain(ledger: Ledger, server: LiteServer = new LocalLiteServer({ ledger })): Chain {
  const head = { block: ledger.headId, genUtime: ledger.head?.info.genUtime ?? 0 };
  const source = serverSource(server, () => head);
  const chains = new LiveChains({ source, executor: noExecutor, clock: systemClock, zeroState: ledger.zero.id });
  return chains.open({ access: "public", signal: new AbortController().signal });
}
