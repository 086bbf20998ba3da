import { TrustedChain } from "../../lite/queries/TrustedChain.ts";
import type { Exchange, ExchangeRecorder } from "../../lite/server/ExchangeRecorder.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { Chain } from "../Chain.ts";
import { behindReceiver, ChainError } from "../errors.ts";
import { getMasterBlock } from "../head.ts";

/** Everything that an answer was computed from. */
export interface ChainProof {
  readonly zeroState: BlockIdExt;
  /** The newest masterchain block when the answer was computed. */
  readonly block: BlockIdExt;
  /** The block from which the signatures lead to it. */
  readonly since: BlockIdExt;
  readonly exchanges: readonly Exchange[];
}

/**
 * The proof of an answer that was computed from a recorded chain: the recorded exchanges, and those that prove its head
 * from the masterchain block that the receiver trusts, or from the init block of the network.
 */
export async function proveAnswer(
  chain: Chain,
  recorder: ExchangeRecorder,
  sinceSeqno: number | undefined,
): Promise<ChainProof> {
  const { head, zeroState, caches } = chain;
  const since = sinceSeqno === undefined ? chain.initBlock : await findStart(chain, sinceSeqno);
  await caches.headProofs.get(chain, `${since.rootHash}:${head.block.rootHash}`, (server, asking) =>
    new TrustedChain({ start: since, zeroState, proofs: "check", links: "follow" }).prove(server, head.block, asking),
  );
  return { zeroState, block: head.block, since, exchanges: recorder.exchanges };
}

/** The trusted block of the receiver; how this server finds it is not part of the proof. */
async function findStart(chain: Chain, seqno: number): Promise<BlockIdExt> {
  const { zeroState, initBlock, head, caches } = chain;
  if (seqno > head.block.seqno) {
    throw new ChainError(
      "chain/no-start",
      `${behindReceiver}: its newest block is ${head.block.seqno}, and the proof was to begin at ${seqno}`,
    );
  }
  const known = [zeroState, initBlock].find((block) => block.seqno === seqno);
  if (known !== undefined) return known;
  const unrecorded = { ...chain, server: chain.recorder?.server ?? chain.server, recorder: undefined };
  return caches.startBlocks.get(unrecorded, `${seqno}`, (server, asking) =>
    getMasterBlock({ ...unrecorded, server, asking, onBlock: undefined }, seqno),
  );
}
