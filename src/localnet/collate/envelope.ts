import { storeCell } from "../../cell/codec.ts";
import { Linked } from "../../cell/linked.ts";
import { type Address, accountOf, plainAddress, workchainOf } from "../../model/Address.ts";
import { type ShardId, shardContains } from "../../model/block/BlockId.ts";
import { type CurrencyCollection, noCurrency } from "../../model/Currency.ts";
import type { Hash } from "../../model/Hash.ts";
import { type InCell, Message } from "../../model/Message.ts";
import { MessageEnvelope, type MessageMetadata } from "../../model/MessageEnvelope.ts";
import { LocalnetError } from "../errors.ts";

/** The position and next hop of a message, in bits of the destination that its route has already passed. */
export interface Route {
  readonly currentBits: number;
  readonly nextBits: number;
  /** The next hop: its workchain and the first 64 bits of an address in it. */
  readonly nextWorkchain: number;
  readonly nextPrefix: bigint;
}

/** The number of address bits in routing: workchain and 64 bits. */
const allBits = 96;
/** The workchain comes first. */
export const workchainBits = 32;
const hopBits = 4;

function prefixOf(account: Hash): bigint {
  return BigInt(`0x${account.slice(0, 16)}`);
}

/** A message between two accounts of one shard does not move; others go one hop: workchain first, then by nibbles. */
export function routeFrom(
  shard: { readonly workchain: number; readonly shard: ShardId },
  src: Address,
  dest: Address,
): Route {
  const workchain = workchainOf(dest);
  const destPrefix = prefixOf(accountOf(dest));
  if (workchain === shard.workchain && shardContains(shard.shard, accountOf(dest)))
    return { currentBits: allBits, nextBits: allBits, nextWorkchain: workchain, nextPrefix: destPrefix };
  if (workchain !== shard.workchain)
    return { currentBits: 0, nextBits: allBits, nextWorkchain: workchain, nextPrefix: destPrefix };
  const srcPrefix = prefixOf(accountOf(src));
  let bits = 0;
  const differs = srcPrefix ^ destPrefix;
  while (differs >> BigInt(64 - bits - hopBits) === 0n) bits += hopBits;
  const taken = (1n << BigInt(64 - bits - hopBits)) - 1n;
  const nextPrefix = (destPrefix & ~taken) | (srcPrefix & taken);
  return {
    currentBits: workchainBits + bits,
    nextBits: workchainBits + bits + hopBits,
    nextWorkchain: workchain,
    nextPrefix,
  };
}

/** Wraps a message in an envelope; one without metadata is of the older kind. */
export function makeEnvelope(
  message: InCell<Message>,
  route: Pick<Route, "currentBits" | "nextBits">,
  fwdFeeRemaining: bigint,
  metadata: MessageMetadata | undefined,
): Linked<MessageEnvelope> {
  const parts = {
    current: { kind: "regular" as const, useDestBits: route.currentBits },
    next: { kind: "regular" as const, useDestBits: route.nextBits },
    fwdFeeRemaining,
    message: new Linked(message.cell, Message),
  };
  const envelope: MessageEnvelope =
    metadata === undefined ? { kind: "v1", ...parts } : { kind: "v2", ...parts, emittedLt: undefined, metadata };
  return new Linked(storeCell(MessageEnvelope, envelope), MessageEnvelope);
}

/** Where a message is: its route has passed so many bits of the destination. */
export function positionOf({ current, message }: MessageEnvelope): {
  readonly workchain: number;
  readonly prefix: Hash;
} {
  const way = ends(message.load());
  if (way === undefined || current.kind !== "regular")
    throw new LocalnetError("localnet/block", "a message in a queue whose position is unknown");
  const bits = current.useDestBits;
  if (bits < workchainBits) return { workchain: workchainOf(way.src), prefix: accountOf(way.src) };
  const taken = (1n << BigInt(64 - (bits - workchainBits))) - 1n;
  const prefix = (prefixOf(accountOf(way.dest)) & ~taken) | (prefixOf(accountOf(way.src)) & taken);
  return { workchain: workchainOf(way.dest), prefix: prefix.toString(16).padStart(16, "0").padEnd(64, "0") as Hash };
}

/** Source and destination of an internal message. */
export function ends(message: Message): { readonly src: Address; readonly dest: Address } | undefined {
  const { info } = message;
  return info.kind === "internal" ? { src: plainAddress(info.src), dest: plainAddress(info.dest) } : undefined;
}

// key: next workchain, first 64 bits of the next address, message hash
export function queueKey(route: Pick<Route, "nextWorkchain" | "nextPrefix">, hash: Hash): string {
  const workchain = (route.nextWorkchain >>> 0).toString(16).padStart(8, "0");
  return workchain + route.nextPrefix.toString(16).padStart(16, "0") + hash;
}

/** Both ends of a message that must be internal. */
export function endsOf(message: InCell<Message>): { readonly src: Address; readonly dest: Address } {
  const found = ends(message);
  if (found === undefined) throw new LocalnetError("localnet/block", "not an internal message");
  return found;
}

export function fwdFeeOf(message: Message): bigint {
  return message.info.kind === "internal" ? message.info.fwdFee : 0n;
}

export function valueIn(message: Message): CurrencyCollection {
  return message.info.kind === "internal" ? message.info.value : noCurrency;
}
