import { readBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { CodedError } from "../../lib/errors.ts";
import { sendMessage } from "../../lite/tl/liteQueries.ts";
import { type Address, accountOf, plainAddress, workchainOf } from "../../model/Address.ts";
import { findConfigParam } from "../../model/config/ConfigParams.ts";
import { Message } from "../../model/Message.ts";
import type { LocalnetError } from "../errors.ts";
import { headView } from "../ledger/ChainView.ts";
import type { Ledger } from "../ledger/Ledger.ts";
import { type AnswerContext, type ExternalMessage, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { bocError, refusal, refusalCode } from "./kit/refusal.ts";

function refused(code: number, message: string): LocalnetError {
  return refusal(code, `cannot apply external message to current state : ${message}`);
}

function malformed(message: string): LocalnetError {
  return refused(refusalCode.plain, message);
}

/** The limits without configuration. */
const defaultLimits = { maxExternalMessageSize: 65_535, maxExternalMessageDepth: 512 };

function messageLimits(ledger: Ledger): typeof defaultLimits {
  return findConfigParam(headView(ledger).config, 43) ?? defaultLimits;
}

/** Checks an external message without running it, in the order and with the texts of a node. */
function readExternal(ledger: Ledger, body: Uint8Array): ExternalMessage {
  const limits = messageLimits(ledger);
  if (body.length > limits.maxExternalMessageSize) throw malformed("external message too large, rejecting");
  const root = readMessageRoot(body);
  if (root.level !== 0) throw malformed("external message must have zero level");
  if (root.depth() >= limits.maxExternalMessageDepth) throw malformed("external message is too deep");
  if (root.isExotic || root.bitLength < 2 || sliceOf(root).loadUint(2) !== 2)
    throw malformed("external message must begin with ext_in_msg_info$10");
  const message = loadMessage(root);
  return { hash: root.hash(), cell: root, dest: checkTarget(ledger, message) };
}

function loadMessage(root: Cell): Message {
  try {
    return loadCell(Message, root);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw malformed("external message is not a (Message Any) according to automated checks");
  }
}

function readMessageRoot(body: Uint8Array): Cell {
  let roots: readonly Cell[];
  try {
    roots = readBoc(body);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw malformed(bocError(body));
  }
  const [root] = roots;
  if (root === undefined || roots.length !== 1) throw malformed("external message is not a valid bag of cells");
  return root;
}

/** Returns the destination, which must exist: without a balance, it cannot pay even for a message that deploys it. */
function checkTarget(ledger: Ledger, message: Message): Address {
  const { info } = message;
  const address = info.kind === "externalIn" ? plainAddress(info.dest) : undefined;
  if (address === undefined)
    throw malformed("destination of an inbound external message is an invalid blockchain address");
  const view = headView(ledger);
  if (view.findHome(address) === undefined) {
    throw refused(
      refusalCode.notReady,
      `no shard in masterchain state for account ${workchainOf(address)}:0x${accountOf(address).slice(0, 16)}`,
    );
  }
  if (view.findAccount(address) === undefined) throw malformed("Failed to unpack account state");
  return address;
}

/** Passes the bytes of an external message to the mempool; a refusal of a node is thrown. */
export async function submitExternal(
  { ledger, submit }: Pick<AnswerContext, "ledger" | "submit">,
  body: Uint8Array,
  signal?: AbortSignal,
): Promise<void> {
  const message = readExternal(ledger, body);
  if (submit === undefined) throw refused(refusalCode.notReady, "this chain is a recording and accepts no messages");
  const outcome = await submit(message, signal);
  if (outcome.kind === "refused") throw refused(outcome.code, outcome.message);
}

export const sendAnswers: readonly QueryHandler[] = [
  queryHandler(sendMessage, async (context, { body }, signal) => {
    await submitExternal(context, body, signal);
    return { status: 1 };
  }),
];
