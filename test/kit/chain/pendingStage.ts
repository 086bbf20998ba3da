import { makeFacts } from "../../../kit/contracts/corpusFacts.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { LiveChains } from "../../../src/chain/LiveChains.ts";
import { usualPending } from "../../../src/chain/pending/PendingOptions.ts";
import { type PendingModules, PendingTraces } from "../../../src/chain/pending/PendingTraces.ts";
import type { SentMessage } from "../../../src/chain/SentMessage.ts";
import { serverSource } from "../../../src/chain/serverSource.ts";
import { Message } from "../../../src/model/Message.ts";
import { normalizedHash } from "../../../src/model/normalizedHash.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";
import { quietLog } from "../api/apiServer.ts";
import type { TestChain } from "../localnet/localChain.ts";

/** Pending messages of a chain; the test decides when the chain gets them. */
export interface PendingStage {
  readonly pending: PendingTraces;
  /** Registers a message as if a lite server had accepted it, and waits until it is emulated. */
  note(message: Cell): Promise<SentMessage>;
}

export function openPendingStage(
  chain: TestChain,
  executor: Executor,
  parts: Partial<PendingModules> = {},
): PendingStage {
  const { lite, ledger } = chain.net;
  const { clock } = chain;
  const source = serverSource(lite, () => ({ block: ledger.headId, genUtime: ledger.head?.info.genUtime ?? 0 }));
  const chains = new LiveChains({ source, executor, clock, zeroState: ledger.zero.id });
  const pending = new PendingTraces(usualPending, {
    openChain: (access, signal) => chains.open({ access, signal }),
    gatherFacts: async () => makeFacts({}),
    clock,
    log: quietLog,
    ...parts,
  });
  const note = async (message: Cell): Promise<SentMessage> => {
    const sent = sentOf(message);
    pending.add(message, sent, "public");
    await pending.idle();
    return sent;
  };
  return { pending, note };
}

export function sentOf(message: Cell): SentMessage {
  const { info, body } = loadCell(Message, message);
  if (info.kind !== "externalIn") throw new Error("not an external message");
  return { hash: message.hash(), normalizedHash: normalizedHash({ info, body }) };
}
