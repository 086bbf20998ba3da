import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Dictionary } from "../../cell/dictionary.ts";
import type { Slice } from "../../cell/Slice.ts";
import type { TlBlockId } from "../../lite/queries/ids.ts";
import { getDispatchQueueInfo, getDispatchQueueMessages } from "../../lite/tl/liteQueries.ts";
import type { OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import { type Hash, hashFromBytes, hashToBytes, zeroHash } from "../../model/Hash.ts";
import { MessageEnvelope } from "../../model/MessageEnvelope.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { invalidWorkchain } from "./kit/blockAccess.ts";
import { type MessageOrigin, metadataToTl } from "./kit/inMessages.ts";
import { leavesByHash, leavesByLt } from "./kit/masterState.ts";
import { badQuery } from "./kit/refusal.ts";
import { queueBlock, readQueues } from "./queues.ts";

const accountsLimit = 64;
const messagesLimit = 64;
const maxWholeMessages = 16;

interface AccountQueue {
  readonly messages: Dictionary<bigint, Slice>;
  readonly count: bigint;
}

// _ messages:(HashmapE 64 EnqueuedMsg) count:uint48 = AccountDispatchQueue, behind the lowest logical time in it
function loadAccountQueue(leaf: Slice): AccountQueue {
  leaf.skip(64);
  return { messages: leavesByLt(leaf.loadMaybeRef()), count: leaf.loadBigUint(48) };
}

function dispatchQueue({ extra }: OutMsgQueueInfo): Dictionary<Hash, Slice> {
  return leavesByHash(extra?.dispatchQueue.root);
}

interface InfoArgs {
  readonly mode: number;
  readonly id: TlBlockId;
  readonly afterAddr?: Uint8Array | undefined;
  readonly maxAccounts: number;
}

/** Accounts with waiting messages, after one of them, with their number and times. */
export function listDispatchAccounts(info: OutMsgQueueInfo, after: Hash | undefined, max: number) {
  const queues: { addr: Uint8Array; size: bigint; minLt: bigint; maxLt: bigint }[] = [];
  let complete = true;
  dispatchQueue(info).walk(
    (leaf, account) => {
      if (account === after) return true;
      complete = queues.length < max;
      if (!complete) return false;
      const { messages, count } = loadAccountQueue(leaf);
      const [minLt = 0n] = messages.findFirst() ?? [];
      const [maxLt = 0n] = messages.findLast() ?? [];
      queues.push({ addr: hashToBytes(account), size: count, minLt, maxLt });
      return true;
    },
    { from: after ?? zeroHash },
  );
  return { accountDispatchQueues: queues, complete };
}

async function answerInfo(context: AnswerContext, { mode, id, afterAddr, maxAccounts }: InfoArgs) {
  if (maxAccounts <= 0) throw badQuery("invalid max_accounts");
  const after = afterAddr === undefined ? undefined : hashFromBytes(afterAddr);
  const max = Math.min(maxAccounts, accountsLimit);
  const block = queueBlock(context.ledger, id);
  const { value, proof } = await readQueues(context, block, (mode & 1) !== 0, (info) =>
    listDispatchAccounts(info, after, max),
  );
  return { mode, id, ...value, ...(proof === undefined ? {} : { proof }) };
}

interface MessagesArgs {
  readonly mode: number;
  readonly id: TlBlockId;
  readonly addr: Uint8Array;
  readonly afterLt: bigint;
  readonly maxMessages: number;
}

interface Waiting {
  readonly account: Hash;
  readonly lt: bigint;
  readonly message: Cell;
  readonly metadata: MessageOrigin | undefined;
}

interface MessageRange {
  readonly account: Hash;
  readonly afterLt: bigint;
  readonly oneAccount: boolean;
  readonly max: number;
}

/** Waiting messages, from an account on, after a logical time. */
export function listDispatchMessages(info: OutMsgQueueInfo, { account: from, afterLt, oneAccount, max }: MessageRange) {
  const waitings: Waiting[] = [];
  // The time applies to the first account that is found, the requested one or the next.
  let lt = afterLt;
  dispatchQueue(info).walk(
    (leaf, account) => {
      if (oneAccount && account !== from) return false;
      collectMessages(loadAccountQueue(leaf).messages, account, lt, max, waitings);
      lt = 0n;
      return waitings.length < max;
    },
    { from },
  );
  return { found: waitings, complete: waitings.length < max };
}

/** Messages after a logical time; one more than fit is read, as a node does. */
function collectMessages(
  messages: Dictionary<bigint, Slice>,
  account: Hash,
  afterLt: bigint,
  max: number,
  into: Waiting[],
): void {
  messages.walk(
    (leaf, lt) => {
      if (lt === afterLt) return true;
      if (into.length >= max) return false;
      // _ enqueued_lt:uint64 out_msg:^MsgEnvelope = EnqueuedMsg
      const envelope = loadCell(MessageEnvelope, leaf.preloadRef());
      const metadata = envelope.kind === "v2" ? envelope.metadata : undefined;
      const encoded = metadata === undefined ? undefined : metadataToTl(metadata);
      into.push({ account, lt, message: envelope.message.cell, metadata: encoded });
      return true;
    },
    { from: afterLt },
  );
}

const noMetadata: MessageOrigin = {
  mode: 0,
  depth: -1,
  initiator: { workchain: invalidWorkchain, id: new Uint8Array(32) },
  initiatorLt: -1n,
};

const flags = { proof: 1, oneAccount: 2, messages: 4 } as const;

async function answerMessages(context: AnswerContext, { mode, id, addr, afterLt, maxMessages }: MessagesArgs) {
  if (maxMessages <= 0) throw badQuery("invalid max_messages");
  const withMessages = (mode & flags.messages) !== 0;
  const range = {
    account: hashFromBytes(addr),
    afterLt: afterLt < 0n ? 0n : afterLt,
    oneAccount: (mode & flags.oneAccount) !== 0,
    max: Math.min(maxMessages, withMessages ? maxWholeMessages : messagesLimit),
  };
  const block = queueBlock(context.ledger, id);
  const list = (info: OutMsgQueueInfo) => listDispatchMessages(info, range);
  const { value, proof } = await readQueues(context, block, (mode & flags.proof) !== 0, list);
  const read = withMessages ? await readQueues(context, block, false, list) : undefined;
  const whole = read?.value.found.map(({ message }) => message) ?? [];
  return {
    mode,
    id,
    messages: value.found.map(({ account, lt, message, metadata = noMetadata }) => ({
      addr: hashToBytes(account),
      lt,
      hash: hashToBytes(message.hash()),
      metadata,
    })),
    complete: value.complete,
    ...(proof === undefined ? {} : { proof }),
    ...(withMessages ? { messagesBoc: whole.length === 0 ? new Uint8Array() : writeBoc(whole) } : {}),
  };
}

export const dispatchQueueAnswers: readonly QueryHandler[] = [
  queryHandler(getDispatchQueueInfo, answerInfo),
  queryHandler(getDispatchQueueMessages, answerMessages),
];
