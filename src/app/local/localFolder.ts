import { join } from "node:path";

/** The name of the file in that folder by which lite clients know the network. */
export const globalConfigName = "global.config.json";

/** The folder of the local network's chain, for every command. */
export function localFolder({ data }: { readonly data: string }): string {
  return join(data, "localnet");
}
