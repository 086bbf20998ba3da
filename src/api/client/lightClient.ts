import type { JsonInput } from "../../lib/json.ts";
import { addContract } from "./addContract.ts";
import { type CallOptions, type Client, makeInert } from "./client.ts";
import type { ClientOptions } from "./light/ClientOptions.ts";
import type { OpenLight } from "./light/openLight.ts";
import { v2Names } from "./verify/clientNames.ts";
import type { TrustOptions } from "./verify/TrustOptions.ts";

export { UnprovedError } from "./verify/UnprovedError.ts";

export interface LightOptions extends ClientOptions, TrustOptions {}

/**
 * A client with the methods of v2 that needs no API but lite servers over HTTP: it asks them, checks their proofs from
 * a trusted block on, and computes every result itself. `baseUrl` ends before the name: `…/api/lite/v1`. The client
 * itself is inert: printing, awaiting or probing it sends nothing.
 */
export function createLightClient(baseUrl: string, options: LightOptions): Client {
  let opened: Promise<OpenLight> | undefined;
  const open = () => {
    opened ??= import("./light/openLight.ts").then(({ openLight }) => openLight(baseUrl, options));
    return opened;
  };
  const ask =
    (name: string) =>
    async (args: JsonInput = {}, call?: CallOptions) =>
      (await open()).ask(name, args, call?.signal);
  return addContract(makeInert(v2Names, ask), {
    form: "pairs",
    ask: (name, args, call) => ask(name)(args, call),
  }) as Client;
}
