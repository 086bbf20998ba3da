import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import { plainAddress } from "../../model/Address.ts";
import { hashToBase64 } from "../../model/Hash.ts";
import { RelaxedMessage } from "../../model/Message.ts";
import type { TraceMessage } from "../../model/Trace.ts";
import { listTelegramOrders } from "./telegramRequests.ts";
import type { MessageNode } from "./traceTree.ts";

/**
 * The tree of the messages that a single external message would have sent, if it is an order to a wallet. Nothing of it
 * has happened: all of it is shown as failed.
 */
export function makeGhostTree(tree: MessageNode): MessageNode | undefined {
  const { message, children, transaction } = tree;
  if (children.length > 0 || message === undefined || message.source !== undefined) return undefined;
  const root: MessageNode = { ...tree, failed: true, children: [] };
  listOrders(message.body).forEach((cell, index) => {
    const ghost = findMessage(cell, tree);
    if (ghost === undefined) return;
    root.children.push({
      transaction,
      message: ghost,
      isLog: false,
      isGhost: true,
      // The index distinguishes equal messages.
      idText: Buffer.from(`${hashToBase64(ghost.hash)}${index}`).toString("base64"),
      failed: true,
      parent: root,
      children: [],
    });
  });
  return root.children.length === 0 ? undefined : root;
}

/**
 * The Telegram wallet has opcodes, so it is tried first. Wallets v3 and v4 refer to their messages directly, v5 to a
 * list of actions; only the right layout gives messages.
 */
const layouts = [listTelegramOrders, listDirect, listActions] as const;

/** As in the service, something after the message does not matter. */
function listOrders(body: Cell): readonly Cell[] {
  for (const list of layouts) {
    const cells = attempt(() => list(sliceOf(body)));
    if (cells?.every((cell) => attempt(() => isOrder(cell)))) return cells;
  }
  return [];
}

/** An outgoing external message is not read: it belongs to the order, but is not shown. */
function isOrder(cell: Cell): boolean {
  return sliceOf(cell).loadBit() || RelaxedMessage.load(sliceOf(cell)) !== undefined;
}

// signature:bits512 subwallet_id:uint32 valid_until:uint32 seqno:uint32 … ^message …
function listDirect(body: Slice): readonly Cell[] {
  body.skip(512 + 96);
  return Array.from({ length: body.remainingRefs }, () => body.loadRef());
}

/** More than any wallet sends. */
const maxActions = 255;

// opcode:uint32 wallet_id:uint32 valid_until:uint32 seqno:uint32 actions:(Maybe ^OutList) …
// out_list$_ prev:^OutList action_send_msg#0ec3c86d mode:uint8 out_msg:^Message
function listActions(body: Slice): readonly Cell[] {
  const cells: Cell[] = [];
  let list = body.skip(128).loadMaybeRef();
  while (list !== undefined && cells.length < maxActions) {
    const action = sliceOf(list);
    if (action.remainingBits === 0) break;
    list = action.loadRef();
    cells.push(action.loadRef());
  }
  return cells;
}

function attempt<V>(read: () => V): V | undefined {
  try {
    return read();
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}

function findMessage(cell: Cell, { transaction }: MessageNode): TraceMessage | undefined {
  const message = attempt(() => RelaxedMessage.load(sliceOf(cell)));
  if (message === undefined || message.info.kind !== "internal") return undefined;
  const { dest, value, bounce, bounced } = message.info;
  const destination = attempt(() => plainAddress(dest));
  if (destination === undefined) return undefined;
  return {
    hash: cell.hash(),
    source: transaction.account,
    destination,
    value: value.coins,
    extra: new Map(),
    createdLt: transaction.lt,
    createdAt: transaction.now,
    bounce,
    bounced,
    body: message.body,
    init: message.init,
  };
}
