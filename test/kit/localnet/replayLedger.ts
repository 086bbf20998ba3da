import { openReplayedBlock, replayAccount } from "../../../src/chain/replay/replay.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";
import { openChain } from "../chain/openChain.ts";
import { listBlocks } from "./ledgerTransactions.ts";

/**
 * Runs all transactions of a chain again, over its lite server, and names those that come out differently. The first
 * blocks are left out: a lite server does not tell what follows from a zero state.
 */
export async function listDifferentReplays(ledger: Ledger, executor: Executor): Promise<readonly string[]> {
  const chain = { ...openChain(ledger), executor };
  const different: string[] = [];
  for (const { id, info } of listBlocks(ledger)) {
    if ((info.masterRef?.seqno ?? id.seqno - 1) === 0) continue;
    const block = await openReplayedBlock(chain, { ...id, hashes: undefined });
    for (const place of block.accounts.keys()) {
      for await (const { address, transaction, outcome, isEqual } of replayAccount(chain, block, place)) {
        const reason = outcome.kind === "failed" ? outcome.reason : outcome.kind;
        if (!isEqual) different.push(`${address} ${transaction.lt}: ${reason}`);
      }
    }
  }
  return different;
}
