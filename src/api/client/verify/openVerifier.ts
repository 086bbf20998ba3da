import { behindReceiver } from "../../../chain/errors.ts";
import { systemClock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { JsonInput, JsonValue } from "../../../lib/json.ts";
import type { V2Services } from "../../v2/Services.ts";
import { lazyExecutor } from "./lazyExecutor.ts";
import { loadEndpoint } from "./loadEndpoint.ts";
import { openTrust } from "./openTrust.ts";
import { readCallArgs } from "./readCallArgs.ts";
import type { ReceiverOptions } from "./TrustOptions.ts";
import { UnprovedError } from "./UnprovedError.ts";
import { type ReceivedAnswer, Verifier } from "./Verifier.ts";

/** Sends the request of a call with these arguments, and gives the whole answer of the server. */
export type SendCall = (args: JsonInput) => Promise<ReceivedAnswer>;

/** A client's checks: `ask` resolves with a proved result, or with what was sent for an operation that only writes. */
export interface OpenVerifier {
  ask(name: string, args: JsonInput, send: SendCall, signal?: AbortSignal): Promise<unknown>;
}

/** Opens the checks of a client of v2. */
export function openVerifier(options: ReceiverOptions, clock = systemClock): OpenVerifier {
  const { start, trusted, maxAge } = openTrust(options);
  const services = (chains: V2Services["chains"]): V2Services => ({
    isLive: () => true,
    chains,
    // A server that answers an exit code as an error sends no proof of it.
    stdExitCode: "result",
  });
  const verifier = new Verifier<V2Services>({
    ...{ start, trusted, clock, maxAge, services },
    executor: lazyExecutor(),
    onProof: options.onProof,
  });
  const never = new AbortController().signal;
  return {
    ask: async (name, args, send, signal = never) => {
      const endpoint = await loadEndpoint(name);
      if (endpoint === undefined) throw new UnprovedError("verify/not-covered", `${name} is not known here`);
      const { proof } = endpoint;
      if (proof.by === "nothing" && proof.isWrite) return (await send(args)).result;
      if (proof.by === "nothing")
        throw new UnprovedError("verify/not-covered", `${name} has no proof: ${proof.reason}`);
      const { given, decoded } = readCallArgs(endpoint, args);
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

/** A server that does not have the trusted block yet says so; other errors are those of the operation. */
function asUnproved(name: string, error: unknown): unknown {
  const reason = isCoded(error, "api/refused") ? error.data.error : "";
  if (!reason.includes(behindReceiver)) return error;
  return new UnprovedError("verify/behind", `${name}: ${reason}`, { cause: error });
}
