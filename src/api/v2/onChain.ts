import type { Chain } from "../../chain/Chain.ts";
import { proveAnswer } from "../../chain/proveAnswer.ts";
import { isCoded } from "../../lib/errors.ts";
import { LiteError } from "../../lite/errors.ts";
import { runnerName } from "../declare/Caller.ts";
import { ApiError } from "../declare/errors.ts";
import { encodeProof } from "../declare/proofForm.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import type { V2Services } from "./Services.ts";

const trusting = "this server accepts heads without signatures, so that it cannot prove any; start it without --trust";

/** Makes the `run` of an endpoint over the chain: opens it for the request, and notes how the answer was made. */
export function onChain<A, R>(
  answer: (chain: Chain, args: A, context: RequestContext, services: V2Services) => Promise<R>,
) {
  return async (services: V2Services, args: A, context: RequestContext): Promise<R> => {
    const { chains, proofs } = services;
    const { caller, signal, notes, proof } = context;
    if (proof !== undefined && proofs === "trust") throw new ApiError("api/no-proof", trusting);
    const access = caller.kind === "keyless" ? "public" : "private";
    const chain = chains.open({
      access,
      signal,
      caller: runnerName(caller),
      onBlock: (block) => notes.atBlock(block),
      isRecorded: proof !== undefined,
    });
    notes.atBlock(chain.head.block);
    try {
      const result = await answer(chain, args, context, services);
      if (proof !== undefined && chain.recorder !== undefined)
        notes.provedBy(encodeProof(await proveAnswer(chain, chain.recorder, proof.since)));
      return result;
    } finally {
      notes.checkedProofs(proofs !== "trust");
      for (const index of chain.askedServers()) notes.askedServer(index);
    }
  };
}

/** Like `onChain`, for messages that are sent to several servers; with another error when there is none. */
export function onManyServers<A, R>(answer: (chain: Chain, args: A, context: RequestContext) => Promise<R>) {
  const run = onChain(answer);
  return async (services: V2Services, args: A, context: RequestContext): Promise<R> => {
    try {
      return await run(services, args, context);
    } catch (error) {
      if (!isCoded(error, "lite/none")) throw error;
      throw new LiteError("lite/none", error.message, { data: { ...error.data, mode: "Multiple" }, cause: error });
    }
  };
}
