import { setTimeout } from "node:timers/promises";
import { writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";

/** What an endpoint of v2 or of the local network answers; throws for a refusal. */
export async function askResult(url: string, body?: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text).result;
}

/**
 * Gives an account of a local network this code, if it has none yet; resolves with the seqno of a masterchain block at
 * which it has it.
 */
export async function installContract(origin: string, address: string, code: Cell): Promise<number> {
  const state = `${origin}/api/v2/getAddressState?address=${encodeURIComponent(address)}`;
  if ((await askResult(state)) !== "active") {
    await askResult(`${origin}/localnet/setCode`, { address, code: Buffer.from(writeBoc(code)).toString("base64") });
    while ((await askResult(state)) !== "active") await setTimeout(100);
  }
  return Object(await askResult(`${origin}/api/v2/getMasterchainInfo`)).last.seqno;
}
