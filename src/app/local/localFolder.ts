import { join } from "node:path";

/** The folder of the local network's chain, for every command. */
export function localFolder({ data }: { readonly data: string }): string {
  return join(data, "localnet");
}
