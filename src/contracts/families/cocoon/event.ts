import { type Address, type ExternalAddress, formatRawAddress } from "../../../model/Address.ts";
import type { DetailFields } from "../../engine/details.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";
import { call } from "../../engine/pattern.ts";
import { cocoonClientProxyRequest, cocoonPayout, cocoonReturnExcessesBack } from "./messages.ts";

/** An event of the network: the accounts and the content of its messages. */
export interface Cocoon {
  readonly queryId: bigint;
  readonly source?: Address | undefined;
  readonly sourceSecondary?: Address | undefined;
  readonly destination?: Address | undefined;
  readonly destinationSecondary?: Address | undefined;
  readonly amount?: bigint;
}

export function cocoonKind<T extends Cocoon>(type: string, fields: DetailFields<T>): NodeKind<T> {
  return kind<T>({ type, showsParts: true, parties: (event) => event, details: fields });
}

export const cocoonExcess = call(cocoonReturnExcessesBack);
export const anyExcess = call(cocoonReturnExcessesBack, { optional: true });
export const cocoonPayoutCall = call(cocoonPayout);

/** An external address is shown as its length in bits and its bits as a hex number. */
export function formatExpected(expected: Address | ExternalAddress | undefined): string | undefined {
  if (expected === undefined) return undefined;
  if (typeof expected === "string") return formatRawAddress(expected);
  const unused = BigInt(expected.value.length * 4 - expected.bits);
  return `${expected.bits};${(BigInt(`0x${expected.value || "0"}`) >> unused).toString(16)}`;
}

export interface TokensUsed extends Cocoon {
  readonly newTokensUsed: bigint;
  readonly expected: string | undefined;
}

/** A message to the proxy of a client. */
export const toProxy = call(cocoonClientProxyRequest);
