import type { Chain } from "../../chain/Chain.ts";
import { type ChainProof, proveAnswer } from "../../chain/proofs/proveAnswer.ts";
import { type CodedError, isCoded } from "../../lib/errors.ts";
import { LiteError } from "../../lite/errors.ts";
import type { ExchangeRecorder } from "../../lite/server/ExchangeRecorder.ts";
import type { AnswerNotes } from "../declare/AnswerNotes.ts";
import { runnerName } from "../declare/Caller.ts";
import { ApiError } from "../declare/errors.ts";
import type { ProofRequest } from "../declare/proof.ts";
import { encodeProof, formatProof } from "../declare/proofForm.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import type { V2Services } from "./declare.ts";

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
      if (proof === undefined || chain.recorder === undefined) return result;
      const noting = noteProof(chain, chain.recorder, proof, notes);
      if (noting !== undefined) await noting;
      return result;
    } catch (error) {
      chain.recorder?.release();
      throw isCoded(error, "lite/record-size") ? tooLong(error) : error;
    } finally {
      notes.checkedProofs(proofs !== "trust");
      for (const index of chain.askedServers()) notes.askedServer(index);
    }
  };
}

function noteProof(
  chain: Chain,
  recorder: ExchangeRecorder,
  { since }: ProofRequest,
  notes: AnswerNotes,
): Promise<void> | undefined {
  const note = (made: ChainProof): undefined => {
    notes.provedBy({ json: () => encodeProof(made), text: formatProof(made), release: () => recorder.release() });
  };
  const proving = proveAnswer(chain, recorder, since);
  return proving instanceof Promise ? proving.then(note) : note(proving);
}

function tooLong(cause: CodedError): ApiError {
  return new ApiError(
    "api/no-proof",
    `the proof is too long: ${cause.message}; name a newer block that you trust with proof_since, or ask for less at once`,
    { cause },
  );
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
