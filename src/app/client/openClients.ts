import { type Client, createClient } from "../../api/client/client.ts";
import { createV3Client, type V3Client } from "../../api/client/v3Client.ts";
import { type AppConfig, systemSources } from "../config.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { planOneNetwork } from "../networks/planNetworks.ts";
import { originOf } from "./requestServer.ts";

export interface Clients extends Pick<NetworkPlan, "coin"> {
  readonly v2: Client;
  readonly v3: V3Client;
}

/** Clients of the running server of the one configured network. */
export function openClients(config: AppConfig, { apiKey }: { readonly apiKey: string | undefined }): Clients {
  const plan = planOneNetwork(config, systemSources.findFile);
  const origin = originOf(plan.listen);
  const options = apiKey === undefined ? {} : { apiKey };
  const [v2, v3] = [createClient(`${origin}/api/v2`, options), createV3Client(`${origin}/api/v3`, options)];
  return { coin: plan.coin, v2, v3 };
}
