import { textArg } from "../../lib/kit/basicArgs.ts";
import type { AppConfig } from "../config.ts";
import { option } from "../options.ts";
import type { Clients } from "./openClients.ts";

/** The option of commands that use the API of a server with limits. */
export const keyOption = {
  apiKey: option(textArg({ minLength: 1, maxLength: 200 }), undefined, "API key, for a server with rate limits.", {
    value: "KEY",
    isSecret: true,
  }),
};

/** Opens the clients; their code is loaded only by commands that use it. */
export async function loadClients(config: AppConfig, key: { readonly apiKey: string | undefined }): Promise<Clients> {
  const { openClients } = await import("./openClients.ts");
  return openClients(config, key);
}
