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
 * from the masterchain block that the receiver trusts, or from the init block of the network. It is there at once where
 * the head was proved from that block before.
 */
export function proveAnswer(
  chain: Chain,
  recorder: ExchangeRecorder,
  sinceSeqno: number | undefined,
): ChainProof | Promise<ChainProof> {
  const { head, zeroState, caches } = chain;
  const since = sinceSeqno === undefined ? chain.initBlock : findStart(chain, sinceSeqno);
  if (since instanceof Promise) return since.then((found) => proveHead(chain, recorder, found));
  const isProved = caches.headProofs.find(chain, keyOf(since, head.block)) !== undefined;
  if (!isProved) return proveHead(chain, recorder, since);
  return { zeroState, block: head.block, since, exchanges: recorder.exchanges };
}

const keyOf = (since: BlockIdExt, head: BlockIdExt): string => `${since.rootHash}:${head.rootHash}`;

async function proveHead(chain: Chain, recorder: ExchangeRecorder, since: BlockIdExt): Promise<ChainProof> {
  const { head, zeroState, caches } = chain;
  await caches.headProofs.get(chain, keyOf(since, head.block), (server, asking) =>
    new TrustedChain({ start: since, zeroState, proofs: "check", links: "follow" }).prove(server, head.block, asking),
  );
  return { zeroState, block: head.block, since, exchanges: recorder.exchanges };
}

/** The trusted block of the receiver; how this server finds it is not part of the proof. */
function findStart(chain: Chain, seqno: number): BlockIdExt | Promise<BlockIdExt> {
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
