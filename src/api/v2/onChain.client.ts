import type { Chain } from "../../chain/Chain.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import type { V2Services } from "./declare.ts";

type Run<A, R> = (chain: Chain, args: A, context: RequestContext, services: V2Services) => Promise<R>;

/** In the place of that of `onChain.ts`, for clients: they check proofs and make none, and no one else is served. */
export function onChain<A, R>(answer: Run<A, R>) {
  return async (services: V2Services, args: A, context: RequestContext): Promise<R> => {
    const chain = services.chains.open({ access: "public", signal: context.signal, caller: "", isRecorded: false });
    return answer(chain, args, context, services);
  };
}

/** What is sent to several servers is not sent by clients that check. */
export const onManyServers = onChain;
