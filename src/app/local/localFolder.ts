import { join } from "node:path";

/** Where the chain of the local network is kept, for every command. */
export function localFolder({ data }: { readonly data: string }): string {
  return join(data, "localnet");
}
