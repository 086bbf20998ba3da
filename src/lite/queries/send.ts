import { LiteError } from "../errors.ts";
import { ask, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { sendMessage } from "../tl/liteQueries.ts";

/** Sends an external message; a refusal is `lite/server` with the server's text. */
export async function submitMessage(server: LiteServer, boc: Uint8Array, options: TypedAskOptions): Promise<void> {
  const { status } = await ask(server, sendMessage, { body: boc }, options);
  if (status !== 1)
    throw new LiteError("lite/server", `sendMessage: status ${status}`, { data: { serverCode: status } });
}
