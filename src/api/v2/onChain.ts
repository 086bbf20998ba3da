import type { Chain } from "../../chain/Chain.ts";
import { formatBlockId } from "../../model/BlockId.ts";
import type { RequestContext } from "../RequestContext.ts";
import type { V2Services } from "./Services.ts";

/** Makes the `run` of an endpoint that asks the chain: opened for the request, and noted how the answer came about. */
export function onChain<A, R>(answer: (chain: Chain, args: A, context: RequestContext) => Promise<R>) {
  return async ({ chains, proofs }: V2Services, args: A, context: RequestContext): Promise<R> => {
    const { caller, signal, notes } = context;
    const chain = chains.open({ access: caller.kind === "keyless" ? "public" : "private", signal });
    notes.atBlock(formatBlockId(chain.head.block));
    try {
      return await answer(chain, args, context);
    } finally {
      notes.checkedProofs(proofs !== "trust");
      for (const index of chain.askedServers()) {
        notes.askedServer(index);
      }
    }
  };
}
