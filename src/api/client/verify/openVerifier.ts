import { systemClock } from "../../../lib/clock.ts";
import type { V2Services } from "../../v2/declare.ts";
import { loadEndpoint } from "./loadEndpoint.ts";
import { readCallArgs } from "./readCallArgs.ts";
import type { ReceiverOptions } from "./TrustOptions.ts";
import { type OpenVerifier, verifyCalls } from "./verifyCalls.ts";

/** Opens the checks of a client of v2. */
export function openVerifier(options: ReceiverOptions, clock = systemClock): OpenVerifier {
  const api = {
    ...{ loadEndpoint, readArgs: readCallArgs },
    // A server that answers an exit code as an error sends no proof of it.
    services: (chains: V2Services["chains"]): V2Services => ({ isLive: () => true, chains, stdExitCode: "result" }),
  };
  return verifyCalls(api, options, clock);
}
