import type { Address } from "../../../model/Address.ts";
import { formatRawAddress, plainAddress } from "../../../model/Address.ts";
import type { AnyAddress } from "../../../model/messageAddress.ts";
import type { DetailFields } from "../../engine/details.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";
import { call } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { cocoonClientProxyRequest, cocoonPayout, cocoonReturnExcessesBack } from "./messages.ts";

/** An event of the network: who with whom, and what its messages say. */
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

export const excess = call(cocoonReturnExcessesBack);
export const anyExcess = call(cocoonReturnExcessesBack, { optional: true });
export const payout = call(cocoonPayout);

/** Whether the transaction of the message failed, whatever it carried. */
export function isAborted({ nodes }: TraceNode): boolean {
  return nodes[0]?.failed ?? false;
}

/** Addresses of the outside are told with their length in bits. */
export function formatExpected(expected: AnyAddress): string | undefined {
  if (expected === undefined) return undefined;
  if (typeof expected === "string") return formatRawAddress(expected);
  if (expected.kind !== "external") return formatRawAddress(plainAddress(expected));
  return `${expected.bits};${expected.value.slice(0, Math.ceil(expected.bits / 4))}`;
}

export interface TokensUsed extends Cocoon {
  readonly newTokensUsed: bigint;
  readonly expected: string | undefined;
}

/** Word to the proxy a client belongs to. */
export const toProxy = call(cocoonClientProxyRequest);
