import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type Address, plainAddress } from "../../../model/Address.ts";
import { loadSnake } from "../../../model/content/Snake.ts";
import { type InCell, type Message, RelaxedMessage } from "../../../model/Message.ts";
import type { Transaction } from "../../../model/Transaction.ts";
import { encodeBag } from "../../declare/encodeBag.ts";

/** The content of a message as shown by a wallet. */
export type MessageBody =
  | { readonly type: "comment"; readonly comment: string }
  | { readonly type: "payload"; readonly cell: string };

/** A transaction as its own wallet sees it. */
export interface WalletView {
  readonly kind: "in" | "out";
  readonly status: "success" | "failed";
  readonly seqno: number | undefined;
  readonly body: MessageBody | undefined;
  /** The body as a cell, unless it is a comment. */
  readonly payload: Cell | undefined;
  readonly dest: Address | undefined;
  readonly amount: bigint;
  readonly resolved: Address;
  readonly isBounced: boolean;
  readonly mentioned: readonly Address[];
}

/** The sent messages, as far as the message of a wallet of version 3 or 4 shows them. */
interface Order {
  readonly seqno: number | undefined;
  readonly dest: Address | undefined;
  readonly body: Cell | undefined;
}

const noOrder: Order = { seqno: undefined, dest: undefined, body: undefined };
const longestComment = 65_536;

export function readForWallet(address: Address, transaction: InCell<Transaction>): WalletView {
  const { in: received, out } = transaction.messages;
  const sent = out.values();
  const info = received?.info;
  const isIncoming = info?.kind === "internal";
  const order = info?.kind === "externalIn" && received !== undefined ? readOrder(received.body) : noOrder;
  const shown = isIncoming ? received?.body : order.body;
  const source = isIncoming ? plainAddress(info.src) : undefined;
  const body = shown && readBody(shown);
  return {
    kind: isIncoming ? "in" : "out",
    status: !isIncoming && order.seqno !== undefined && sent.length === 0 ? "failed" : "success",
    seqno: order.seqno,
    body,
    payload: body?.type === "payload" ? shown : undefined,
    dest: order.dest,
    amount: (isIncoming ? info.value.coins : 0n) - sent.reduce((sum, each) => sum + coinsOf(each), 0n),
    resolved: order.dest ?? source ?? address,
    isBounced: isIncoming && info.bounced,
    mentioned: [...new Set([source, ...sent.map(destinationOf)])].filter(
      (each): each is Address => each !== undefined && each !== address,
    ),
  };
}

function coinsOf({ info }: Message): bigint {
  return info.kind === "internal" ? info.value.coins : 0n;
}

function destinationOf({ info }: Message): Address | undefined {
  return info.kind === "internal" ? plainAddress(info.dest) : undefined;
}

// signature:bits512 wallet_id:uint32 valid_until:uint32 seqno:uint32 [command:uint8] [mode:uint8 message:^Message]
function readOrder(body: Cell): Order {
  const slice = sliceOf(body);
  if (slice.remainingBits < 512 + 96) return noOrder;
  const seqno = slice.skip(512 + 64).loadUint(32);
  const command = slice.remainingBits >= 8 ? slice.loadUint(8) : undefined;
  if (command !== 0 || slice.remainingRefs === 0) return { ...noOrder, seqno };
  const message = findMessage(slice.loadRef());
  const dest = message?.info.kind === "internal" ? plainAddress(message.info.dest) : undefined;
  return { seqno, dest, body: message?.body };
}

function findMessage(cell: Cell): RelaxedMessage | undefined {
  try {
    return loadCell(RelaxedMessage, cell);
  } catch (error) {
    if (!isCoded(error)) throw error;
    return undefined;
  }
}

function readBody(body: Cell): MessageBody | undefined {
  if (body.isExotic || body.bitLength < 32) return undefined;
  const slice = sliceOf(body);
  if (slice.loadUint(32) !== 0) return { type: "payload", cell: encodeBag(body) };
  const comment = readComment(slice);
  return comment === "" ? undefined : { type: "comment", comment };
}

/** The remaining text of a body; undefined if it is not text. */
export function readComment(slice: ReturnType<typeof sliceOf>): string {
  try {
    return Buffer.from(loadSnake(slice, longestComment)).toString("utf8");
  } catch (error) {
    if (!isCoded(error)) throw error;
    return "";
  }
}
