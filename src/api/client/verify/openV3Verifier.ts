import type { History } from "../../../history/queries/kit/History.ts";
import { systemClock } from "../../../lib/clock.ts";
import type { JsonInput } from "../../../lib/json.ts";
import { runAtOnce } from "../../../lib/sharing/steps.ts";
import type { Endpoint } from "../../declare/endpoint.ts";
import { findProperties, parseBody, parseQuery } from "../../declare/requestArgs.ts";
import type { V2Services } from "../../v2/declare.ts";
import type { V3Services } from "../../v3/services/Services.ts";
import { V3Reader } from "../../v3/V3Reader.ts";
import { formatBody, formatQuery } from "./callArgs.ts";
import { loadV3Endpoint } from "./loadV3Endpoint.ts";
import type { CallArgs } from "./readCallArgs.ts";
import type { ReceiverOptions } from "./TrustOptions.ts";
import { UnprovedError } from "./UnprovedError.ts";
import { type OpenVerifier, verifyCalls } from "./verifyCalls.ts";

/** Opens the checks of a client of v3. */
export function openV3Verifier(options: ReceiverOptions, clock = systemClock): OpenVerifier {
  return verifyCalls({ loadEndpoint: loadV3Endpoint, readArgs, services: servicesOf }, options, clock);
}

function servicesOf(chains: V2Services["chains"]): V3Services {
  return {
    // What the index says is proved without one, or not at all.
    get history(): History {
      throw new UnprovedError("verify/not-covered", "a receiver has no index");
    },
    live: { isLive: () => true, chains },
  };
}

/** Reads arguments as the server does, from a body or a query. */
function readArgs({ args: declared, methods }: Endpoint<V3Services>, args: JsonInput): CallArgs {
  const given = Object(args);
  const reader = new V3Reader(declared);
  const decoded = methods.includes("POST")
    ? reader.fromObject(findProperties(runAtOnce(parseBody(formatBody(given)))) ?? {}, {})
    : reader.fromQuery(parseQuery(formatQuery(given)), {});
  return { given, decoded };
}
