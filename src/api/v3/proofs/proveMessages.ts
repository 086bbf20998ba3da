import type { Chain } from "../../../chain/Chain.ts";
import type { FullMessage } from "../../../history/queries/fill/FullTransaction.ts";
import type { MessageFilter } from "../../../history/queries/messages.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { readDeferred } from "../../../lib/kit/deferredJson.ts";
import { type Hash, hashToBase64 } from "../../../model/Hash.ts";
import { ApiError } from "../../declare/errors.ts";
import type { ProvedRows, ShownAnswer } from "../../declare/proof.ts";
import { messageShape } from "../shapes/messages.ts";
import { isAskedMessage } from "./matchesFilter.ts";
import { getNamed, hashIn, proveNamed } from "./namedTransactions.ts";
import { type Json, type ProvedTransaction, provedMessage, rowsIn, unprovable } from "./transactionProof.ts";

/** The transactions that sent and received a message of an answer. */
interface Ends {
  readonly sentBy: Hash | undefined;
  readonly receivedBy: Hash | undefined;
}

/** The transactions that the messages of an answer name. */
export function transactionsOfMessages(result: JsonValue): readonly Hash[] {
  return rowsIn(result, "messages").flatMap((row) => {
    const { sentBy, receivedBy } = endsOf(row);
    return [sentBy, receivedBy].filter((hash) => hash !== undefined);
  });
}

/** Proves that messages are in the transactions that they name, and what they have. */
export async function proveMessages(chain: Chain, filter: MessageFilter, shown: ShownAnswer): Promise<ProvedRows> {
  const rows = rowsIn(shown.result, "messages");
  const proved = await proveNamed(chain, transactionsOfMessages(shown.result), shown);
  return { result: { messages: rows.map((row) => proveMessage(row, filter, proved)) }, isComplete: false };
}

function proveMessage(row: JsonValue, filter: MessageFilter, proved: ReadonlyMap<Hash, ProvedTransaction>): Json {
  const ends = endsOf(row);
  const { sentBy, receivedBy } = ends;
  const hash = hashIn(row, "hash");
  const sent = sentBy && findIn(getNamed(proved, sentBy).full.outMessages, hash, sentBy);
  const received = receivedBy && findIn([getNamed(proved, receivedBy).full.inMessage], hash, receivedBy);
  const message = received ?? sent;
  if (message === undefined) throw unprovable("a message names no transaction");
  if (!isAskedMessage(message.row, filter, ends))
    throw new ApiError("api/incomplete", `message ${hash} is not what was asked for`);
  const json = readDeferred(messageShape.encode(message));
  return {
    ...provedMessage(json),
    ...(sentBy && { out_msg_tx_hash: hashToBase64(sentBy) }),
    ...(receivedBy && { in_msg_tx_hash: hashToBase64(receivedBy) }),
  };
}

function endsOf(row: JsonValue): Ends {
  return { sentBy: hashIn(row, "out_msg_tx_hash"), receivedBy: hashIn(row, "in_msg_tx_hash") };
}

function findIn(messages: readonly (FullMessage | undefined)[], hash: Hash | undefined, of: Hash): FullMessage {
  const found = messages.find((each) => each?.row.hash === hash);
  if (found === undefined) throw new ApiError("api/incomplete", `message ${hash} is not of transaction ${of}`);
  return found;
}
