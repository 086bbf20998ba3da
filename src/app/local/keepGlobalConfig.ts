import { isCoded } from "../../lib/errors.ts";
import { writeWhole } from "../../lib/files/writeWhole.ts";
import type { Log } from "../../lib/log.ts";
import { findInitBlock, formatGlobalConfig, type GlobalConfigFacts } from "../../localnet/network/globalConfig.ts";
import type { Localnet } from "../../localnet/network/Localnet.ts";

/**
 * Writes the global configuration now and with every key block, which becomes the init block; returns a function that
 * stops it.
 */
export function keepGlobalConfig(
  path: string,
  served: Pick<GlobalConfigFacts, "host" | "port" | "publicKey">,
  { net, log }: { readonly net: Localnet; readonly log: Log },
): () => Promise<void> {
  const { ledger } = net;
  const write = (): void => {
    const blocks = { zeroState: ledger.zero.id, initBlock: findInitBlock(ledger) };
    writeWhole(path, new TextEncoder().encode(formatGlobalConfig({ ...blocks, ...served })));
  };
  let isOld = false;
  /** The disk may be full for a while: then the file is written with a later block. */
  const writeAgain = (): void => {
    try {
      write();
      isOld = false;
    } catch (error) {
      if (!isCoded(error, "lib/storage")) throw error;
      if (!isOld) log.warn("the global configuration is out of date until it can be written", { error: error.message });
      isOld = true;
    }
  };
  const stopped = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const { info } of net.heads(stopped.signal)) if (info.keyBlock || isOld) writeAgain();
  };
  write();
  const following = follow().catch((error: unknown) => {
    if (!stopped.signal.aborted) log.error("cannot keep the global configuration up to date", { error: String(error) });
  });
  return async () => {
    stopped.abort();
    await following;
  };
}
