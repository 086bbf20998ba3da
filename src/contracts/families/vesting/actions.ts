import type { Cell } from "../../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { type Address, plainAddress } from "../../../model/Address.ts";
import { RelaxedMessage, RelaxedMessageInfo } from "../../../model/Message.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, destinationOf, noMatch } from "../../engine/messageParts.ts";
import { call } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { address } from "../../kit/addressFields.ts";
import { refusable } from "../../kit/entity.ts";
import {
  vestingSendMessageBody as sendBody,
  vestingAddWhiteList,
  vestingAddWhiteListResponse,
  vestingSendMessageResponse,
} from "./messages.ts";

interface SentMessage {
  readonly queryId: bigint;
  readonly message: Cell;
  /** Absent where the message is external. */
  readonly sender: Address | undefined;
  readonly vesting: Address;
  readonly destination: Address | undefined;
  readonly amount: bigint;
}

export const vestingSendMessage = kind<SentMessage>({
  type: "vesting_send_message",
  showsParts: true,
  parties: (m) => ({ source: m.sender, destination: m.vesting, destinationSecondary: m.destination }),
  details: (f) => ({
    query_id: f.amount("Number that the sender chose to recognise the answer by.", (m) => m.queryId),
    message_boc: f.bareBoc("Message, as a bag of cells in base64.", (m) => m.message),
    source: f.address("Address of the sender.", (m) => m.sender),
    vesting: f.address("Address of the vesting contract.", (m) => m.vesting),
    destination: f.address("Address of the receiver.", (m) => m.destination),
    amount: f.amount("Coins that the message carries, in nanocoins.", (m) => m.amount),
  }),
});

const sentAnswer = call(vestingSendMessageResponse);
const sent = call(sendBody, { child: sentAnswer });

export const vestingSendMatcher = matcher({
  name: "vesting_send_message",
  pattern: sent,
  build: (match) => {
    const node = match.get(sent);
    // query_id:uint64 mode:uint8 ^message; only the head of the message is read.
    const body = sliceOf(cellOf(node)).skip(32);
    const queryId = body.loadBigUint(64);
    const message = body.skip(8).loadRef();
    const info = RelaxedMessageInfo.load(sliceOf(message));
    if (info.kind !== "internal") throw noMatch("an outgoing external message");
    const data = {
      queryId,
      message,
      sender: node.data.source,
      vesting: destinationOf(node),
      destination: plainAddress(info.dest),
      amount: info.value.coins,
    };
    const failed = !isSent(data, node);
    return made(vestingSendMessage, data, { failed, from: [node, match.get(sentAnswer)] });
  },
});

/**
 * Whether the contract has sent the message: its send mode may drop a message that cannot be paid. The body identifies
 * it; of a message of which only the head can be read, the value does.
 */
function isSent({ destination, message, amount }: SentMessage, { nodes }: TraceNode): boolean {
  const body = refusable(() => RelaxedMessage.load(sliceOf(message)).body.hash());
  return nodes.some(({ transaction }) =>
    transaction.outMessages.some(
      (sent) =>
        sent.destination === destination && (body === undefined ? sent.value === amount : sent.body.hash() === body),
    ),
  );
}

interface Addition {
  readonly queryId: bigint;
  readonly source: Address | undefined;
  readonly vesting: Address;
  readonly accounts: readonly Address[];
}

export const vestingAddWhitelist = kind<Addition>({
  type: "vesting_add_whitelist",
  showsParts: true,
  parties: (a) => ({ source: a.source, destination: a.vesting }),
  details: (f) => ({
    query_id: f.amount("Number that the sender chose to recognise the answer by.", (a) => a.queryId),
    accounts_added: f.addresses("Accounts to which locked coins may go from now on.", (a) => a.accounts),
    source: f.address("Address of the sender.", (a) => a.source),
    vesting: f.address("Address of the vesting contract.", (a) => a.vesting),
  }),
});

const addedAnswer = call(vestingAddWhiteListResponse);
const added = call(vestingAddWhiteList, { child: addedAnswer });

export const vestingWhitelistMatcher = matcher({
  name: "vesting_add_whitelist",
  pattern: added,
  build: (match) => {
    const node = match.get(added);
    const { queryId, addressesRefSnake } = bodyOf(node, vestingAddWhiteList);
    const data = {
      queryId,
      source: node.data.source,
      vesting: destinationOf(node),
      accounts: listAddresses(addressesRefSnake),
    };
    return made(vestingAddWhitelist, data, { from: [node, match.get(addedAnswer)] });
  },
});

const maxAddresses = 1024;

/** An address, the next one in the first reference, and so on. */
function listAddresses(list: Cell): Address[] {
  const found: Address[] = [];
  for (let at: Slice | undefined = sliceOf(list); at !== undefined && found.length < maxAddresses; ) {
    const account = address.load(at);
    if (account !== undefined) found.push(account);
    at = at.remainingRefs > 0 ? sliceOf(at.loadRef()) : undefined;
  }
  return found;
}
