import { behindReceiver } from "../../../chain/errors.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { JsonInput, JsonValue } from "../../../lib/json.ts";
import type { Endpoint } from "../../declare/endpoint.ts";
import { emptyList, hasNoProof } from "../../declare/proof.ts";
import { lazyExecutor } from "./lazyExecutor.ts";
import { openTrust } from "./openTrust.ts";
import type { CallArgs } from "./readCallArgs.ts";
import type { ReceiverOptions } from "./TrustOptions.ts";
import { UnprovedError } from "./UnprovedError.ts";
import { type ReceivedAnswer, Verifier, type VerifierModules } from "./Verifier.ts";

/** Sends the request of a call with these arguments, and gives the whole answer of the server. */
export type SendCall = (args: JsonInput) => Promise<ReceivedAnswer>;

/** A client's checks: `ask` resolves with a proved result, or with what was sent for an operation that only writes. */
export interface OpenVerifier {
  ask(name: string, args: JsonInput, send: SendCall, signal?: AbortSignal): Promise<unknown>;
}

/** An API version whose answers are checked. */
export interface CheckedApi<S> extends Pick<VerifierModules<S>, "services"> {
  loadEndpoint(name: string): Promise<Endpoint<S> | undefined>;
  readArgs(endpoint: Endpoint<S>, args: JsonInput): CallArgs;
}

/** Opens the checks of a client of an API version. */
export function verifyCalls<S>(api: CheckedApi<S>, options: ReceiverOptions, clock: Clock): OpenVerifier {
  const { start, trusted, maxAge } = openTrust(options);
  const verifier = new Verifier<S>({
    ...{ start, trusted, clock, maxAge, services: api.services },
    executor: lazyExecutor(),
    onProof: options.onProof,
  });
  const never = new AbortController().signal;
  return {
    ask: async (name, args, send, signal = never) => {
      const endpoint = await api.loadEndpoint(name);
      if (endpoint === undefined) throw new UnprovedError("verify/not-covered", `${name} is not known here`);
      const { proof } = endpoint;
      if (proof.by === "nothing" && proof.isWrite) return (await send(args)).result;
      if (proof.by === "nothing")
        throw new UnprovedError("verify/not-covered", `${name} has no proof: ${proof.reason}`);
      const { given, decoded } = api.readArgs(endpoint, args);
      const since = await trusted.newest;
      const answer = await send({
        ...(given as { readonly [name: string]: JsonValue }),
        proof: 1,
        proof_since: since.seqno,
      }).catch((error: unknown) => {
        throw asUnproved(name, error);
      });
      return verifier.check({ endpoint, args: decoded, since, signal }, answer);
    },
  };
}

/** The refusals of servers by their texts. */
const refusals = [
  [behindReceiver, "verify/behind"],
  [emptyList, "verify/empty"],
  [hasNoProof, "verify/not-covered"],
] as const;

/**
 * A server says why it has no proof, or that it lacks the trusted block yet; other errors are those of the operation.
 */
function asUnproved(name: string, error: unknown): unknown {
  const reason = isCoded(error, "api/refused") ? error.data.error : "";
  const code = refusals.find(([text]) => reason.includes(text))?.[1];
  return code === undefined ? error : new UnprovedError(code, `${name}: ${reason}`, { cause: error });
}
