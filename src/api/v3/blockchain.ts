import { addressBook } from "../../history/queries/addressBook.ts";
import { listAdjacentTransactions } from "../../history/queries/adjacentTransactions.ts";
import {
  type BlockFilter,
  findEndsOfIndex,
  hasMasterBlock,
  listBlocks,
  listCommittedBlocks,
  listShardState,
} from "../../history/queries/blocks.ts";
import type { FullTransaction } from "../../history/queries/fill/FullTransaction.ts";
import type { HistorySnapshot } from "../../history/queries/kit/History.ts";
import { listMessages, type MessageBetween, type MessageFilter } from "../../history/queries/messages.ts";
import { everyTransaction, listTransactions, type TransactionFilter } from "../../history/queries/transactions.ts";
import type { MessageSideFilter } from "../../history/queries/transactionsByMessage.ts";
import { listTransactionsByMessage } from "../../history/queries/transactionsByMessage.ts";
import type { ArgValues } from "../../lib/kit/arg.ts";
import { shape } from "../../lib/kit/shape.ts";
import { arg } from "../declare/argument.ts";
import { noProof, shownProof } from "../declare/proof.ts";
import { about } from "./about.ts";
import {
  addressArg,
  addressesArg,
  boolArg,
  cursorArgs,
  directionArg,
  hashArg,
  hashesArg,
  int32Arg,
  ltArg,
  ltArgs,
  needed,
  nullableAddressArg,
  opcodeArg,
  pageArgs,
  seqnoOrZeroArg,
  shardArg,
  sortArg,
  textArg,
  utimeArgs,
} from "./args/args.ts";
import { eventArgs, rangeOf } from "./args/eventArgs.ts";
import { refusal } from "./args/refusals.ts";
import { indexEndpoint } from "./declare.ts";
import { onHistory } from "./onHistory.ts";
import { proveBlocks } from "./proofs/proveBlocks.ts";
import { proveMessages, transactionsOfMessages } from "./proofs/proveMessages.ts";
import { proveTransactionList } from "./proofs/proveTransactionList.ts";
import { allIndexed, by, within } from "./scope/scopeRule.ts";
import { blocksAnswer, masterchainInfoShape } from "./shapes/blocks.ts";
import { bookFields, type ItemsWithBook, type ItemsWithMetadata, itemsOf, metadataFields } from "./shapes/book.ts";
import { messageBetween } from "./shapes/messages.ts";
import { transaction } from "./shapes/transactions.ts";

const listArgs = { ...pageArgs, ...cursorArgs };

export const masterchainInfo = indexEndpoint({
  name: "masterchainInfo",
  proof: noProof("it is about the index; getMasterchainInfo of v2 proves the newest block"),
  tag: "blockchain",
  scope: allIndexed,
  summary: "The first and the last masterchain block that are indexed.",
  description:
    "`scope` is what the index covers, when it does not cover the whole chain: the number of accounts, jettons, NFT collections and codes, the first 100 of each, and its bounds.",
  args: {},
  result: masterchainInfoShape,
  run: onHistory(async ({ reading }) => {
    const ends = await findEndsOfIndex(reading);
    if (ends === undefined) throw refusal("nothingIndexed");
    return { ...ends, scope: (await reading.findScope())?.scope };
  }),
});

/** The parts of a block's id. */
const blockArgs = {
  workchain: arg("Workchain: -1 is the masterchain, 0 the basechain.", int32Arg),
  shard: arg(
    "Shard of the block; `8000000000000000`, or -9223372036854775808 in decimal, is a whole workchain.",
    shardArg,
  ),
  seqno: arg("Sequence number of the block.", int32Arg),
};

const mcSeqnoArg = arg("Seqno of the masterchain block that commits it.", int32Arg);

/** The block and the times of a filter. */
function placeOf(args: ArgValues<typeof blockArgs & typeof eventArgs & { readonly mc_seqno: typeof mcSeqnoArg }>) {
  const { workchain, shard, seqno, mc_seqno: mcSeqno } = args;
  return { workchain, shard, seqno, mcSeqno, ...rangeOf(args) };
}

const blocksArgs = {
  ...blockArgs,
  root_hash: arg("Hash of the block's root cell.", hashArg),
  file_hash: arg("Hash of the block's file.", hashArg),
  mc_seqno: mcSeqnoArg,
  ...eventArgs,
};

function blockFilterOf(args: ArgValues<typeof blocksArgs>): BlockFilter {
  return { ...placeOf(args), rootHash: args.root_hash, fileHash: args.file_hash };
}

export const blocks = indexEndpoint({
  name: "blocks",
  // Decoded arguments have the values of their declarations.
  proof: shownProof((chain, given, shown) =>
    proveBlocks(chain, blockFilterOf(given as ArgValues<typeof blocksArgs>), shown),
  ),
  tag: "blockchain",
  scope: allIndexed,
  summary: "Blocks by workchain, shard and seqno, hash, masterchain block or time.",
  args: blocksArgs,
  result: blocksAnswer,
  run: onHistory(async ({ reading, page, items }, args) =>
    items(await listBlocks(reading, blockFilterOf(args), page(args), args.sort)),
  ),
});

export const masterchainBlockShardState = indexEndpoint({
  name: "masterchainBlockShardState",
  proof: noProof("the index has it; getShards of v2 proves the same"),
  tag: "blockchain",
  scope: allIndexed,
  summary: "A masterchain block and the newest block of every shard by it.",
  statuses: [404],
  args: { seqno: arg("Sequence number of the block.", needed(seqnoOrZeroArg), "seqno") },
  result: blocksAnswer,
  run: onHistory(async ({ reading }, { seqno }) => {
    const rows = await listShardState(reading, seqno);
    if (rows.length === 0) throw refusal("blocksNotFound");
    return rows;
  }),
});

export const masterchainBlockShards = indexEndpoint({
  name: "masterchainBlockShards",
  proof: noProof("the index has it; getShards of v2 proves the newest blocks of all shards"),
  tag: "blockchain",
  scope: allIndexed,
  summary: "A masterchain block and the shard blocks that it commits.",
  statuses: [404],
  args: { seqno: arg("Sequence number of the block.", needed(seqnoOrZeroArg), "seqno"), ...listArgs },
  result: blocksAnswer,
  run: onHistory(async ({ reading, page, items }, args) => {
    const rows = items(await listCommittedBlocks(reading, args.seqno, page(args)));
    // A full page may be the last one: an empty next page is valid.
    if (rows.length === 0 && (args.cursor ?? "") === "") throw refusal("blocksNotFound");
    return rows;
  }),
});

/** Transactions with the address book of their accounts. */
const transactionsAnswer = shape<ItemsWithBook<FullTransaction>>()({
  transactions: itemsOf(transaction, "Transactions that match, in the requested order."),
  ...bookFields,
});

async function withBook(
  reading: HistorySnapshot,
  transactions: readonly FullTransaction[],
): Promise<ItemsWithBook<FullTransaction>> {
  const involved = transactions.flatMap(({ row, inMessage, outMessages }) => [
    row.account,
    inMessage?.row.source,
    ...outMessages.map((sent) => sent.row.destination),
  ]);
  return { items: transactions, book: await addressBook(reading, involved) };
}

async function refuseUnknownBlock(reading: HistorySnapshot, seqno: number): Promise<void> {
  if (!(await hasMasterBlock(reading, seqno))) throw refusal("masterBlockNotFound", { seqno });
}

/** Conditions on one message of a transaction. */
const messageArgs = {
  msg_hash: arg("Hash of a message; the normalized hash of an external message counts as well.", hashesArg),
  body_hash: arg("Hash of the body cell.", hashArg),
  opcode: arg("Operation: the first 32 bits of the body.", opcodeArg),
  direction: arg(
    "`in` for messages or transfers that are received, `out` for those that are sent; both when left out.",
    directionArg,
  ),
  source: arg("Address of the sender.", addressArg),
  destination: arg("Address of the receiver.", addressArg),
};

function messageOf(args: ArgValues<typeof messageArgs>): MessageSideFilter {
  const { msg_hash: hashes, body_hash: bodyHash, opcode, source, destination, direction } = args;
  return { hashes, bodyHash, opcode, source, destination, direction };
}

const transactionArgs = {
  ...blockArgs,
  mc_seqno: mcSeqnoArg,
  account: arg("Only what this account takes part in.", addressesArg),
  exclude_account: arg("Accounts to leave out.", addressesArg),
  hash: arg("Only the transactions with these hashes.", hashesArg),
  lt: arg("Only transactions at this logical time.", ltArg),
  ...messageArgs,
  ...eventArgs,
};

function filterOf(args: ArgValues<typeof transactionArgs>): TransactionFilter {
  return {
    ...placeOf(args),
    accounts: args.account,
    excludedAccounts: args.exclude_account,
    hashes: args.hash,
    lt: args.lt,
  };
}

/** Decoded arguments have the values of their declarations. */
const transactionsProof = shownProof((chain, given, shown) => {
  const args = given as ArgValues<typeof transactionArgs>;
  return proveTransactionList(chain, { filter: filterOf(args), message: messageOf(args) }, shown);
});

export const transactions = indexEndpoint({
  name: "transactions",
  tag: "blockchain",
  proof: transactionsProof,
  scope: within(
    [by.account("account"), by.account("source"), by.account("destination")],
    ["hash", "msg_hash", "body_hash"],
  ),
  summary: "Transactions by block, account, hash, logical time, time or message.",
  description:
    "`msg_hash`, `body_hash`, `opcode`, `source` and `destination` must hold for one message that the transaction received or sent. `direction` chooses the side, with `msg_hash` or `opcode` only.",
  statuses: [404],
  args: transactionArgs,
  result: transactionsAnswer,
  run: onHistory(async ({ reading, page, items }, args) => {
    if (args.direction !== undefined && args.msg_hash.length === 0 && args.opcode === undefined)
      throw refusal("directionAlone");
    const part = page(args);
    if (args.mc_seqno !== undefined) await refuseUnknownBlock(reading, args.mc_seqno);
    const found = await listTransactionsByMessage(reading, messageOf(args), part, args.sort, filterOf(args));
    return withBook(reading, items(found));
  }),
});

export const transactionsByMasterchainBlock = indexEndpoint({
  name: "transactionsByMasterchainBlock",
  proof: noProof(
    "no transaction says which masterchain block commits it; transactions with workchain, shard and seqno proves those of a block",
  ),
  tag: "blockchain",
  scope: allIndexed,
  summary: "Transactions of a masterchain block and of the shard blocks that it commits.",
  statuses: [404],
  args: { seqno: arg("Sequence number of the block.", needed(seqnoOrZeroArg), "seqno"), ...listArgs, sort: sortArg },
  result: transactionsAnswer,
  run: onHistory(async ({ reading, page, items }, args) => {
    const part = page(args);
    await refuseUnknownBlock(reading, args.seqno);
    const filter = { ...everyTransaction, mcSeqno: args.seqno };
    return withBook(reading, items(await listTransactions(reading, filter, part, args.sort)));
  }),
});

export const transactionsByMessage = indexEndpoint({
  name: "transactionsByMessage",
  tag: "blockchain",
  proof: shownProof((chain, given, shown) => {
    const message = messageOf(given as ArgValues<typeof messageArgs>);
    return proveTransactionList(chain, { filter: everyTransaction, message }, shown);
  }),
  scope: within([by.account("source"), by.account("destination")], ["msg_hash", "body_hash"]),
  summary: "Transactions that received or sent a message.",
  args: {
    ...messageArgs,
    msg_hash: arg("Hash of a message; the normalized hash of an external message counts as well.", hashesArg, [
      "message",
    ]),
    ...listArgs,
    sort: sortArg,
  },
  result: transactionsAnswer,
  run: onHistory(async ({ reading, page, items }, args) => {
    if (args.msg_hash.length === 0 && args.body_hash === undefined && args.opcode === undefined)
      throw refusal("messageNeeded");
    return withBook(reading, items(await listTransactionsByMessage(reading, messageOf(args), page(args), args.sort)));
  }),
});

export const adjacentTransactions = indexEndpoint({
  name: "adjacentTransactions",
  proof: noProof("the index finds them; transactions with hash proves each of them"),
  tag: "blockchain",
  scope: within([], ["hash"]),
  summary: "The transaction before a transaction and those right after it, by their messages.",
  description: "`direction` is `in` for the one before, `out` for those after; both otherwise.",
  statuses: [404],
  args: {
    hash: arg("Hash of the transaction.", needed(hashArg), "hash"),
    direction: arg(
      "`in` for messages or transfers that are received, `out` for those that are sent; both when left out.",
      textArg,
    ),
  },
  result: transactionsAnswer,
  run: onHistory(async ({ reading }, { hash, direction }) => {
    const side = direction === "in" || direction === "out" ? direction : undefined;
    const fullTransactions = hash === undefined ? [] : await listAdjacentTransactions(reading, hash, side);
    if (fullTransactions.length === 0) throw refusal("adjacentNotFound");
    return withBook(reading, fullTransactions);
  }),
});

const messagesAnswer = shape<ItemsWithMetadata<MessageBetween>>()({
  messages: itemsOf(messageBetween, "Messages that match, in the requested order."),
  ...metadataFields,
});

const messagesArgs = {
  msg_hash: arg("Hash of a message; the normalized hash of an external message counts as well.", hashesArg),
  hash: arg("Hash of a message; the older name of `msg_hash`.", hashArg),
  body_hash: arg("Hash of the body cell.", hashArg),
  source: arg("Address of the sender.", nullableAddressArg),
  destination: arg("Address of the receiver.", nullableAddressArg),
  opcode: arg("Operation: the first 32 bits of the body.", opcodeArg),
  ...utimeArgs,
  ...ltArgs,
  direction: arg(
    "`in` for messages or transfers that are received, `out` for those that are sent; both when left out.",
    directionArg,
  ),
  exclude_externals: arg("Leave out external messages.", boolArg),
  only_externals: arg("Only external messages.", boolArg),
  ...listArgs,
  sort: sortArg,
};

function messageFilterOf(args: ArgValues<typeof messagesArgs>): MessageFilter {
  return {
    hashes: args.msg_hash.length > 0 || args.hash === undefined ? args.msg_hash : [args.hash],
    bodyHash: args.body_hash,
    source: args.source,
    destination: args.destination,
    opcode: args.opcode,
    ...rangeOf(args),
    direction: args.direction,
    excludeExternals: args.exclude_externals === true,
    onlyExternals: args.only_externals === true,
  };
}

export const messages = indexEndpoint({
  name: "messages",
  proof: shownProof(
    (chain, given, shown) => proveMessages(chain, messageFilterOf(given as ArgValues<typeof messagesArgs>), shown),
    transactionsOfMessages,
  ),
  tag: "blockchain",
  scope: within([by.account("source"), by.account("destination")], ["msg_hash", "hash", "body_hash"]),
  summary: "Messages by hash, body, sender, receiver, opcode or time.",
  args: messagesArgs,
  result: messagesAnswer,
  run: onHistory(async ({ reading, page, items }, args) => {
    const messageBetweens = items(await listMessages(reading, messageFilterOf(args), page(args), args.sort));
    const involved = messageBetweens.flatMap(({ message: { row } }) => [row.source, row.destination]);
    return { items: messageBetweens, ...(await about(reading, involved)) };
  }),
});
