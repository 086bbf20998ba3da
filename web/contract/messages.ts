import type { ContractAnswer, ContractMessage } from "../api/contract.ts";

/** Of a larger ABI the first are shown. */
const maxMessages = 300;

/** The messages that a contract accepts; of one name the server encodes the first. */
export function listMessages({ abis }: Pick<ContractAnswer, "abis">): readonly ContractMessage[] {
  const byName = new Map<string, ContractMessage>();
  for (const message of abis.flatMap(({ receives = [] }) => receives))
    if (!byName.has(message.name)) byName.set(message.name, message);
  return [...byName.values()].slice(0, maxMessages);
}

/** A link by which wallets offer the transfer: coins and a body, in the URL form of base64. */
export function transferLink(address: string, nanocoins: bigint, body: string): string {
  const bin = body.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `ton://transfer/${address}?amount=${nanocoins}&bin=${bin}`;
}
