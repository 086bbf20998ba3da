import { expect } from "vitest";
import { createLocalClient } from "../../../src/api/client/localClient.ts";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { toBase64 } from "../../../src/lib/bytes.ts";
import { basechain } from "../../../src/model/block/BlockId.ts";
import { configParam } from "../../../src/model/config/ConfigParams.ts";

/** The answer of a served network to a GET request. */
export async function askServed(origin: string, path: string) {
  return Object(await (await fetch(`${origin}${path}`)).json());
}

/**
 * Changes how often the basechain of a served network is split, and waits until it is; accounts get coins meanwhile.
 */
export async function splitServed(origin: string, depth: number, addresses: readonly string[]): Promise<void> {
  const client = createLocalClient(`${origin}/localnet`);
  const { result } = await askServed(origin, "/api/v2/getConfigParam?config_id=12");
  const workchains = loadCell(configParam[12], readRoot(Buffer.from(result.config.bytes, "base64")));
  const changed = workchains.set(basechain, { ...workchains.get(basechain), minSplit: depth, maxSplit: depth });
  await client.setConfig({ param: 12, value: toBase64(writeBoc(storeCell(configParam[12], changed))) });
  const count = async (): Promise<number> => {
    for (const address of addresses) await client.faucet({ address, amount: "1" });
    const { seqno } = (await askServed(origin, "/api/v2/getMasterchainInfo")).result.last;
    return (await askServed(origin, `/api/v2/shards?seqno=${seqno}`)).result.shards.length;
  };
  await expect.poll(count, { timeout: 300_000, interval: 200 }).toBe(2 ** depth);
}
