import { type JsonValue, parseJson } from "../../../lib/json.ts";
import { formatDeferred } from "../../../lib/kit/deferredJson.ts";
import type { Log } from "../../../lib/log.ts";
import type { Endpoint } from "../../declare/endpoint.ts";
import type { RequestContext } from "../../declare/RequestContext.ts";

const silent: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => silent };

function quiet(): void {}

const resultLimits = { maxDepth: 2048, maxLength: 2 ** 28 };

/** Runs an endpoint as the server does; its result as a client reads it. */
export async function computeResult<S>(
  endpoint: Endpoint<S>,
  services: S,
  args: Readonly<Record<string, unknown>>,
  asked: Pick<RequestContext, "signal" | "notes" | "proof">,
): Promise<JsonValue> {
  const context: RequestContext = { id: "", caller: { kind: "open" }, log: silent, ...asked };
  const value = await endpoint.run(services, args, context);
  return parseJson(formatDeferred(endpoint.result.encode(value)), resultLimits);
}
