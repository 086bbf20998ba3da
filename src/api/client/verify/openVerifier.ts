import { systemClock } from "../../../lib/clock.ts";
import { formatJson, type JsonInput, type JsonValue } from "../../../lib/json.ts";
import { readTrustedStart } from "../../../lite/server/globalConfig.ts";
import { nameOfNetwork, startOf } from "../../../lite/server/knownNetworks.ts";
import type { Executor } from "../../../tvm/Executor.ts";
import { findProperties, parseBody } from "../../declare/requestArgs.ts";
import type { V2Services } from "../../v2/Services.ts";
import { V2Reader } from "../../v2/V2Reader.ts";
import { loadEndpoint } from "./loadEndpoint.ts";
import { openStore } from "./openStore.ts";
import { TrustedBlocks } from "./TrustedBlocks.ts";
import type { TrustOptions } from "./TrustOptions.ts";
import { UnprovedError } from "./UnprovedError.ts";
import { type ReceivedAnswer, Verifier } from "./Verifier.ts";

/** Sends the request of a call with these arguments, and gives the whole answer of the server. */
export type SendCall = (args: JsonInput) => Promise<ReceivedAnswer>;

/** A client's checks: `ask` resolves with a proved result, or with what was sent for an operation that only writes. */
export interface OpenVerifier {
  ask(name: string, args: JsonInput, send: SendCall, signal?: AbortSignal): Promise<unknown>;
}

const usualMaxAge = 60;

/** Opens the checks of a client of v2. */
export function openVerifier({ trust, store, maxAge = usualMaxAge }: TrustOptions, clock = systemClock): OpenVerifier {
  const start = typeof trust === "string" ? startOf(trust) : readTrustedStart(trust.validator);
  const trusted = new TrustedBlocks(start, openStore(store, nameOfNetwork(start.zeroState)));
  const services = (chains: V2Services["chains"]): V2Services => ({
    isLive: () => true,
    chains,
    // A server that answers an exit code as an error sends no proof of it.
    stdExitCode: "result",
  });
  const verifier = new Verifier<V2Services>({ start, trusted, executor: lazyExecutor(), clock, maxAge, services });
  const never = new AbortController().signal;
  return {
    ask: async (name, args, send, signal = never) => {
      const endpoint = await loadEndpoint(name);
      if (endpoint === undefined) throw new UnprovedError("verify/not-covered", `${name} is not known here`);
      const { proof } = endpoint;
      if (proof.by === "nothing" && proof.isWrite) return (await send(args)).result;
      if (proof.by === "nothing")
        throw new UnprovedError("verify/not-covered", `${name} has no proof: ${proof.reason}`);
      // As the server reads them: numbers that JSON writes as text, and no more.
      const given = findProperties(parseBody(formatJson(args))) ?? {};
      const decoded = new V2Reader(endpoint.args).fromObject(given);
      const since = await trusted.newest;
      const answer = await send({
        ...(given as { readonly [name: string]: JsonValue }),
        proof: 1,
        proof_since: since.seqno,
      });
      return verifier.check({ endpoint, args: decoded, since, signal }, answer);
    },
  };
}

/** The machine is loaded with the first answer that needs it. */
function lazyExecutor(): Executor {
  let opened: Promise<Executor> | undefined;
  const open = async (): Promise<Executor> => {
    const { openExecutor } = await import("../../../tvm/run/openExecutor.ts");
    return openExecutor({}, { clock: systemClock });
  };
  const get = (): Promise<Executor> => {
    opened ??= open();
    return opened;
  };
  return {
    // What the machine supports is known when it is loaded; no check asks for it.
    supportedGlobalVersion: 0,
    runGetMethod: async (run, signal) => (await get()).runGetMethod(run, signal),
    runTransaction: async (run, signal) => (await get()).runTransaction(run, signal),
    runAcceptance: async (run, signal) => (await get()).runAcceptance(run, signal),
    runTickTock: async (run, signal) => (await get()).runTickTock(run, signal),
  };
}
