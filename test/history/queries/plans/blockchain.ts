import { accountsSql, codeHoldersSql, richestSql, richFloorSql } from "../../../../src/history/queries/accounts.ts";
import { addressBookSql } from "../../../../src/history/queries/addressBook.ts";
import { adjacentTransactionsSql } from "../../../../src/history/queries/adjacentTransactions.ts";
import {
  blocksSql,
  committedBlocksSql,
  endOfIndexSql,
  masterBlockSql,
  shardStateSql,
} from "../../../../src/history/queries/blocks.ts";
import {
  externalsNearSql,
  externalsOfSql,
  messagesByHashSql,
  messagesNearSql,
  statesAfterSql,
  statesApartSql,
} from "../../../../src/history/queries/fill/fillTransactions.ts";
import { receiversNearSql, receiversSql } from "../../../../src/history/queries/fill/receivers.ts";
import { externalBehindSql } from "../../../../src/history/queries/fill/skipExternals.ts";
import { presentKeysSql } from "../../../../src/history/queries/kit/indexScans.ts";
import { partitionRangesSql, windowTimesSql } from "../../../../src/history/queries/kit/ltWindows.ts";
import type { Page } from "../../../../src/history/queries/kit/Page.ts";
import { Params } from "../../../../src/history/queries/kit/Statement.ts";
import {
  codeHashesSql,
  type MessageFilter,
  manyMessagesSql,
  messagesAtSql,
  messagesSql,
} from "../../../../src/history/queries/messages.ts";
import { metadataSql } from "../../../../src/history/queries/metadata.ts";
import {
  blocksOfSeqnoSql,
  everyTransaction,
  type TransactionFilter,
  transactionsOfBlocksSql,
  transactionsSql,
} from "../../../../src/history/queries/transactions.ts";
import {
  type MessageSideFilter,
  type MessageWay,
  messageCountSql,
  transactionsByMessageSql,
} from "../../../../src/history/queries/transactionsByMessage.ts";
import { suspendedSql } from "../../../../src/history/queries/validators/suspended.ts";
import type { TableLayout } from "../../../../src/history/store/Database.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import type { PlanCases } from "../../../kit/history/explain.ts";
import { ofOneMachine } from "./actions.ts";

const page: Page = { limit: 10, offset: 0 };
const far: Page = { limit: 10, offset: 5000 };
const account = makeAddress(0, sameDigits("1"));
const other = makeAddress(-1, sameDigits("2"));
const hash = sameDigits("3");
const walked = { kind: "walked", max: 1000 } as const;

/** Statements about blocks, transactions, messages and accounts. */
export function blockchainPlans(layout?: TableLayout): PlanCases {
  const transactions = (filter: Partial<TransactionFilter>, sort: "asc" | "desc" = "desc") =>
    transactionsSql({ ...everyTransaction, ...filter }, page, sort, layout);
  const ofBlocks = (filter: Partial<TransactionFilter>) =>
    transactionsOfBlocksSql(
      [0n, 1n << 63n].map((shard) => ({ workchain: 0, shard, seqno: 5 })),
      { ...everyTransaction, ...filter },
      page,
      "desc",
    );
  const byMessage = (filter: Partial<MessageSideFilter>, way?: MessageWay, others: Partial<TransactionFilter> = {}) => {
    const side = { message: { hashes: [], ...filter }, transactions: { ...everyTransaction, ...others } };
    return transactionsByMessageSql(side, page, "desc", way, layout);
  };
  const messages = (filter: Partial<MessageFilter>, sort: "asc" | "desc" = "desc") =>
    messagesSql({ hashes: [], ...filter }, page, sort, undefined, layout);

  const parted = { table: "transactions", lt: "t.lt", time: "t.now", range: {} };

  return {
    ...ofOneMachine(layout, {
      partitionRangesSql: { some: { statement: partitionRangesSql("transactions"), sorts: true } },
      windowTimesSql: {
        some: {
          statement: windowTimesSql(parted, [{ from: 0n, to: 5n }]),
          walks: true,
          by: "transactions_by_time",
        },
      },
      presentKeysSql: {
        some: {
          statement: presentKeysSql(new Params(), {
            ...{ select: "t.lt", from: "transactions t", identity: ["account", "lt"], order: [], page },
            scans: [{ by: { column: "t.account", keys: [account, other] } }],
            where: ["t.lt >= 5"],
          }),
        },
      },
    }),
    addressBookSql: { accounts: { statement: addressBookSql([account, other], layout), sorts: true } },
    suspendedSql: { accounts: { statement: suspendedSql([account, other]) } },
    metadataSql: { accounts: { statement: metadataSql([account, other]) } },
    codeHoldersSql: {
      first: { statement: codeHoldersSql({ codeHash: hash, except: account }, 101) },
      next: { statement: codeHoldersSql({ codeHash: hash, except: account, after: other }, 101) },
    },
    accountsSql: {
      accounts: { statement: accountsSql({ accounts: [account], codeHashes: [], withCode: true }), sorts: true },
      "accounts of a code": {
        statement: accountsSql({ accounts: [account], codeHashes: [hash], withCode: false }),
        sorts: true,
      },
    },
    richestSql: { all: { statement: richestSql(page), walks: true } },
    richFloorSql: { it: { statement: richFloorSql() } },
    blocksSql: {
      all: { statement: blocksSql({}, page, "desc"), walks: true },
      "by time": { statement: blocksSql({ startUtime: 1, endUtime: 9 }, page, "asc") },
      "by place": { statement: blocksSql({ workchain: 0, shard: 1n << 63n, seqno: 5 }, page, "desc"), sorts: true },
      "by number": { statement: blocksSql({ seqno: 5 }, page, "desc"), sorts: true },
      "by root hash": { statement: blocksSql({ rootHash: hash }, page, "desc"), sorts: true },
      "by file hash": { statement: blocksSql({ fileHash: hash }, page, "desc"), sorts: true },
      "by masterchain block": { statement: blocksSql({ mcSeqno: 5 }, page, "desc"), sorts: true },
      "by logical time": { statement: blocksSql({ startLt: 5n, endLt: 9n }, page, "desc"), walks: true },
    },
    committedBlocksSql: { one: { statement: committedBlocksSql(5, page) } },
    shardStateSql: { one: { statement: shardStateSql(5) } },
    masterBlockSql: { one: { statement: masterBlockSql(5) } },
    endOfIndexSql: {
      last: { statement: endOfIndexSql("desc") },
      first: { statement: endOfIndexSql("asc") },
    },
    transactionsSql: {
      all: { statement: transactions({}), walks: true },
      "all from the first on": { statement: transactions({}, "asc"), walks: true },
      "by time": { statement: transactions({ startUtime: 1 }) },
      "by logical time": { statement: transactions({ startLt: 1n, endLt: 5n }) },
      "of an account": { statement: transactions({ accounts: [account] }) },
      "of an account by time": { statement: transactions({ accounts: [account], endUtime: 5 }) },
      "by received opcode": { statement: transactions({ inOpcode: 5 }), by: "transactions_by_in_opcode" },
      "by received opcode, of an account": { statement: transactions({ inOpcode: 5, accounts: [account] }) },
      "by received opcode, of accounts": {
        statement: transactions({ inOpcode: 5, accounts: [account, other] }),
        sorts: true,
      },
      "by received opcode, of a workchain": {
        statement: transactions({ inOpcode: 5, workchain: 0, startLt: 5n }),
        by: "transactions_by_in_opcode",
      },
      "of accounts": { statement: transactions({ accounts: [account, other] }), sorts: true },
      "of accounts by time": { statement: transactions({ accounts: [account, other], startUtime: 5 }), sorts: true },
      "by hash": { statement: transactions({ hashes: [hash], places: [{ hash, lt: 5n }] }), sorts: true },
      "found by their messages": { statement: transactions({ places: [{ hash, lt: 5n }] }), sorts: true },
      ...ofOneMachine(layout, {
        "of received external messages": {
          statement: transactions({ received: { hashes: [hash], accounts: [account] } }),
        },
      }),
      "by exact logical time": { statement: transactions({ lt: 5n }), sorts: true },
      "of a masterchain block": { statement: transactions({ mcSeqno: 5 }), sorts: true },
      "of a block": { statement: transactions({ workchain: 0, shard: 1n << 63n, seqno: 5 }), sorts: true },
      "far down the list of an account": {
        statement: transactionsSql(
          { ...everyTransaction, accounts: [account] },
          { ...page, offset: 5000 },
          "desc",
          layout,
        ),
        sorts: true,
      },
      "of all but some": { statement: transactions({ excludedAccounts: [account] }), walks: true },
      "of all but those of the chain itself": {
        statement: transactions({
          excludedAccounts: [makeAddress(-1, "3".repeat(64)), makeAddress(-1, "5".repeat(64))],
        }),
        sorts: true,
        walks: true,
        by: "transactions_of_users",
      },
      "of a workchain": { statement: transactions({ workchain: 0 }), by: "transactions_by_workchain" },
      "of a workchain by logical time": {
        statement: transactions({ workchain: 0, startLt: 5n, endLt: 9n }, "asc"),
        by: "transactions_by_workchain",
      },
      "of a workchain by time": {
        statement: transactions({ workchain: -1, startUtime: 5 }),
        by: "transactions_by_workchain_time",
      },
      "of a shard": { statement: transactions({ shard: 1n << 63n }), sorts: true, by: "transactions_by_block" },
      "of a shard of a workchain": {
        statement: transactions({ workchain: 0, shard: 1n << 63n, endLt: 5n }),
        by: "transactions_by_block",
      },
    },
    blocksOfSeqnoSql: { one: { statement: blocksOfSeqnoSql({ ...everyTransaction, seqno: 5, workchain: 0 }) } },
    transactionsOfBlocksSql: {
      "of blocks with a number": { statement: ofBlocks({ seqno: 5 }), sorts: true },
      "of blocks with a number, by time": { statement: ofBlocks({ seqno: 5, startUtime: 1 }), sorts: true },
      "of an account in blocks with a number": { statement: ofBlocks({ seqno: 5, accounts: [account] }), sorts: true },
    },
    transactionsByMessageSql: {
      "by body": { statement: byMessage({ bodyHash: hash }), sorts: true },
      "by a body that many share": {
        statement: byMessage({ bodyHash: hash }, walked),
        walks: true,
      },
      "by an opcode that many share": { statement: byMessage({ opcode: 5 }, walked), walks: true },
      "by a sender that sent few": { statement: byMessage({ opcode: 5, source: account }), sorts: true },
      "by an opcode that few have, of an account by time": {
        statement: byMessage({ opcode: 5 }, undefined, { accounts: [account], startUtime: 5 }),
        sorts: true,
      },
      "by opcode, of an account": { statement: byMessage({ opcode: 5 }, walked, { accounts: [account] }) },
      "by opcode, of accounts": {
        statement: byMessage({ opcode: 5 }, walked, { accounts: [account, other] }),
        sorts: true,
      },
      "by opcode, of an account by time": {
        statement: byMessage({ opcode: 5 }, walked, { accounts: [account], startUtime: 5 }),
      },
      "by receiver, of a workchain": {
        statement: byMessage({ destination: account }, walked, { workchain: 0 }),
        sorts: true,
      },
      "by body, of a masterchain block": {
        statement: byMessage({ bodyHash: hash }, walked, { mcSeqno: 5 }),
        sorts: true,
      },
      "by sender, of hashes": { statement: byMessage({ source: account }, walked, { hashes: [hash] }), sorts: true },
      "by sender, of blocks with a number": {
        statement: byMessage(
          { source: account },
          { ...walked, places: [{ workchain: 0, shard: 1n << 63n, seqno: 5 }] },
          { seqno: 5 },
        ),
        sorts: true,
      },
    },
    messageCountSql: {
      "of a body": { statement: messageCountSql({ bodyHash: hash }) },
      "of a sender": { statement: messageCountSql({ source: account }) },
      "of a receiver": { statement: messageCountSql({ destination: account }) },
      "of an opcode": { statement: messageCountSql({ opcode: 5 }) },
    },
    externalBehindSql: {
      all: { statement: externalBehindSql({}, 5000, "desc"), walks: true, by: "messages_external_by_hash" },
      "with an opcode": {
        statement: externalBehindSql({ opcode: 5 }, 5000, "asc"),
        walks: true,
        by: "messages_external_by_hash",
      },
      "of a receiver": {
        statement: externalBehindSql({ destination: account }, 5000, "desc"),
        by: "messages_external_by_destination",
      },
      "of a receiver, with an opcode": {
        statement: externalBehindSql({ destination: account, opcode: 5 }, 5000, "asc"),
        by: "messages_external_by_destination",
      },
    },
    manyMessagesSql: {
      "of a sender": { statement: manyMessagesSql({ hashes: [], source: account }, "source") },
      "of a body": { statement: manyMessagesSql({ hashes: [], bodyHash: hash }, "bodyHash") },
    },
    adjacentTransactionsSql: {
      both: { statement: adjacentTransactionsSql(hash, undefined), sorts: true },
      before: { statement: adjacentTransactionsSql(hash, "in"), sorts: true },
      after: { statement: adjacentTransactionsSql(hash, "out"), sorts: true },
    },
    messagesNearSql: {
      some: { statement: messagesNearSql({ hashes: [hash], lts: [5n] }, { hashes: [hash], lts: [5n] }) },
    },
    messagesByHashSql: { some: { statement: messagesByHashSql([hash]) } },
    externalsNearSql: { some: { statement: externalsNearSql({ hashes: [hash], lts: [5n] }) } },
    externalsOfSql: { some: { statement: externalsOfSql([hash]) } },
    statesAfterSql: { some: { statement: statesAfterSql([account], [1n]) } },
    statesApartSql: { some: { statement: statesApartSql([account], [hash]) } },
    codeHashesSql: { some: { statement: codeHashesSql([account]) } },
    messagesAtSql: { some: { statement: messagesAtSql({ hashes: [hash], lts: [5n] }), sorts: true } },
    receiversNearSql: { some: { statement: receiversNearSql({ hashes: [hash], lts: [5n] }), sorts: true } },
    receiversSql: { some: { statement: receiversSql([hash]), sorts: true } },
    messagesSql: {
      all: { statement: messages({}), walks: true },
      "far down the list of a receiver": {
        statement: messagesSql({ hashes: [], destination: account }, far, "desc", undefined, layout),
        sorts: true,
      },
      "all by time": { statement: messages({ startUtime: 5 }) },
      "by logical time": { statement: messages({ startLt: 5n }) },
      "by hash": { statement: messages({ hashes: [hash] }), sorts: true },
      "by body": { statement: messages({ bodyHash: hash }) },
      "by sender": { statement: messages({ source: account }) },
      "by receiver": { statement: messages({ destination: account }, "asc") },
      "by sender and time": { statement: messages({ source: account, endUtime: 5 }) },
      "by receiver and time": { statement: messages({ destination: account, startUtime: 5 }) },
      "by opcode": { statement: messages({ opcode: 5 }) },
      external: { statement: messages({ source: null }) },
      "outgoing external": { statement: messages({ destination: null }), sorts: true },
      "only external": { statement: messages({ onlyExternals: true }) },
      "not external": { statement: messages({ excludeExternals: true }) },
      "external to a receiver, with a hash that many have": {
        statement: messages({ destination: account, onlyExternals: true, named: [hash] }),
      },
      sent: { statement: messages({ direction: "out" }), walks: true },
      received: { statement: messages({ direction: "in" }), walks: true },
    },
  };
}
