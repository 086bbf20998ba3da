import type { Chain } from "../../chain/Chain.ts";
import { chainAt } from "../../chain/pinned/atBlock.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { onChain } from "../v2/onChain.ts";
import type { V4Services } from "./declare.ts";

export interface AtSeqno {
  readonly seqno: number;
}

type Answer<A, R> = (chain: Chain, args: A, context: RequestContext, services: V4Services) => Promise<R>;

/** Makes the `run` of an endpoint over the chain. */
export function onNewest<A, R>(answer: Answer<A, R>) {
  return (services: V4Services, args: A, context: RequestContext): Promise<R> =>
    onChain<A, R>((chain, given) => answer(chain, given, context, services))(services, args, context);
}

/** Makes the `run` of an endpoint over the chain at a block: its answer is immutable. */
export function onBlock<A extends AtSeqno, R>(answer: (chain: Chain, args: A) => Promise<R>) {
  return onNewest<A, R>(async (chain, args, context, services) => {
    const at = await chainAt(chain, args.seqno);
    const answered = await answer(at, args);
    noteLasting(context, services, chain.zeroState, at.head.block);
    return answered;
  });
}

/** Marks the answer as immutable for caches, except where the chain may be recreated. */
export function noteLasting(
  { notes, proof }: RequestContext,
  { isResettable }: V4Services,
  zeroState: BlockIdExt,
  { rootHash }: Pick<BlockIdExt, "rootHash">,
): void {
  // A cache that does not know the header of proofs must not give this answer to others.
  if (proof !== undefined) {
    notes.addHeader("Cache-Control", "no-store");
    return;
  }
  notes.addHeader("Cache-Control", isResettable ? "no-cache" : "public, max-age=31536000, immutable");
  notes.addHeader("ETag", `"${zeroState.rootHash.slice(0, 16)}-${rootHash.slice(0, 32)}"`);
}
