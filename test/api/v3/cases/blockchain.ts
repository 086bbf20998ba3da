import { expect } from "vitest";
import { signedShard } from "../../../../src/model/block/BlockId.ts";
import { b64, knownWallet, raw, sameDigits, type V3Stage } from "../../../kit/api/v3/v3Stage.ts";
import {
  accountKey,
  children,
  config,
  elector,
  endsOf,
  external,
  internal,
  listTransactions,
  sending,
  transactionsBy,
  transactionsByTime,
} from "./chainLists.ts";
import { gives, lists, pageRefusals, refuses, sorted, sortRefusal, type V3Case } from "./V3Case.ts";

const notFound = (seqno: number) => `masterchain block ${seqno} not found`;

type BlockRow = V3Stage["rows"]["blocks"][number];
const rootHashes = (rows: readonly BlockRow[]) => rows.map(({ rootHash }) => b64(rootHash));
const shardKey = ({ shard }: BlockRow) => signedShard(shard);

function blocksBy(rows: readonly BlockRow[], sort: "asc" | "desc"): readonly BlockRow[] {
  return sorted(
    rows,
    [({ genUtime }) => genUtime, sort],
    [({ workchain }) => workchain, "asc"],
    [shardKey, "asc"],
    [({ seqno }) => seqno, sort],
  );
}

const byPlace = (rows: readonly BlockRow[]) =>
  sorted(rows, [({ workchain }) => workchain, "asc"], [shardKey, "asc"], [({ seqno }) => seqno, "asc"]);

const listBlocks = (note: string, args: Parameters<typeof lists>[1], items: (stage: V3Stage) => readonly BlockRow[]) =>
  lists(note, args, "blocks", "root_hash", (stage) => rootHashes(items(stage)));
/** Cases of requests about blocks and transactions. */
export const blockchainCases = {
  masterchainInfo: [
    gives("the ends of the index", {}, ({ rows }: V3Stage) => {
      const masters = sorted(
        rows.blocks.filter(({ workchain }) => workchain === -1),
        [({ seqno }) => seqno, "asc"],
      );
      const ofRow = (row: BlockRow | undefined) => expect.objectContaining({ root_hash: row && b64(row.rootHash) });
      return { first: ofRow(masters[0]), last: ofRow(masters.at(-1)) };
    }),
  ],
  blocks: [
    listBlocks("the newest", {}, ({ rows }) => blocksBy(rows.blocks, "desc").slice(0, 10)),
    listBlocks("the oldest", { sort: "ASC", limit: 3 }, ({ rows }) => blocksBy(rows.blocks, "asc").slice(0, 3)),
    listBlocks("a limit below one as one", { limit: -5 }, ({ rows }) => blocksBy(rows.blocks, "desc").slice(0, 1)),
    listBlocks("a part further on", { LIMIT: 4, Offset: 90 }, ({ rows }) =>
      blocksBy(rows.blocks, "desc").slice(90, 94),
    ),
    listBlocks("a shard in hex", { workchain: 0, shard: "0x4000000000000000", limit: 100 }, ({ rows }) =>
      blocksBy(rows.blocks, "desc").filter(({ shard }) => shard === 0x4000000000000000n),
    ),
    listBlocks("a shard as a signed number", { shard: "-4611686018427387904", limit: 100 }, ({ rows }) =>
      blocksBy(rows.blocks, "desc").filter(({ shard }) => shard === 0xc000000000000000n),
    ),
    listBlocks("a place", { workchain: -1, shard: "8000000000000000", seqno: 7 }, ({ rows }) =>
      rows.blocks.filter(({ workchain, seqno }) => workchain === -1 && seqno === 7),
    ),
    listBlocks(
      "root and file hash",
      ({ rows }) => ({ root_hash: rows.blocks[3]?.rootHash ?? "", file_hash: `0x${rows.blocks[3]?.fileHash}` }),
      ({ rows }) => rows.blocks.slice(3, 4),
    ),
    listBlocks("all of a masterchain block", { mc_seqno: 20, limit: 100 }, ({ rows }) =>
      blocksBy(rows.blocks, "desc").filter(({ mcBlockSeqno }) => mcBlockSeqno === 20),
    ),
    listBlocks(
      "times, both ends included",
      ({ rows }) => ({ start_utime: `${rows.blocks[20]?.genUtime}.9`, end_utime: rows.blocks[20]?.genUtime ?? 0 }),
      ({ rows }) => blocksBy(rows.blocks, "desc").filter(({ genUtime }) => genUtime === rows.blocks[20]?.genUtime),
    ),
    listBlocks(
      "logical times, both ends included",
      ({ rows }) => ({ start_lt: rows.blocks[20]?.startLt ?? 0, end_lt: rows.blocks[20]?.startLt ?? 0 }),
      ({ rows }) => blocksBy(rows.blocks, "desc").filter(({ startLt }) => startLt === rows.blocks[20]?.startLt),
    ),
    listBlocks("nothing at the end of time", { start_lt: 2n ** 64n - 1n }, () => []),
    refuses("a bad hash", { root_hash: "abc" }, 422, 'schema: error converting value for "root_hash"'),
    refuses("a bad shard", { shard: "8000000000000000z" }, 422, 'schema: error converting value for "shard"'),
    ...pageRefusals(),
    sortRefusal(),
  ],
  masterchainBlockShardState: [
    listBlocks("the tops of all shards", { seqno: 20 }, ({ rows }) =>
      byPlace(
        rows.blocks.filter((block) =>
          rows.shardState.some(
            (top) =>
              top.mcSeqno === 20 &&
              top.workchain === block.workchain &&
              top.shard === block.shard &&
              top.seqno === block.seqno,
          ),
        ),
      ),
    ),
    refuses("no seqno", {}, 404, "blocks not found"),
    refuses("no number", { seqno: "first" }, 404, "blocks not found"),
    refuses("a block that is not indexed", { seqno: 1_000_000 }, 404, "blocks not found"),
  ],
  masterchainBlockShards: [
    listBlocks("all that is committed", { seqno: 20 }, ({ rows }) =>
      byPlace(rows.blocks.filter(({ mcBlockSeqno }) => mcBlockSeqno === 20)),
    ),
    listBlocks("a part of it", { seqno: 20, limit: 1, offset: 1 }, ({ rows }) =>
      byPlace(rows.blocks.filter(({ mcBlockSeqno }) => mcBlockSeqno === 20)).slice(1, 2),
    ),
    refuses("no seqno", {}, 404, "blocks not found"),
    ...pageRefusals({ seqno: 20 }),
  ],
  transactions: [
    listTransactions("the newest", {}, ({ rows }) => transactionsBy(rows.transactions, "desc").slice(0, 10)),
    listTransactions("the oldest", { sort: "a" }, ({ rows }) => transactionsBy(rows.transactions, "asc").slice(0, 10)),
    listTransactions("one account", { account: elector, limit: 1000 }, ({ rows }) =>
      transactionsBy(rows.transactions, "desc").filter(({ account }) => account === elector),
    ),
    listTransactions("accounts with a comma", { account: `${elector},${config}`, limit: 50, offset: 3 }, ({ rows }) =>
      transactionsBy(rows.transactions, "desc")
        .filter(({ account }) => account === elector || account === config)
        .slice(3, 53),
    ),
    listTransactions(
      "accounts repeated, one of them empty, by time",
      { "account[]": [config, "", elector], start_utime: 0, sort: "asc", limit: 20 },
      ({ rows }) =>
        transactionsByTime(rows.transactions, "asc")
          .filter(({ account }) => account === elector || account === config)
          .slice(0, 20),
    ),
    listTransactions("a shard of another workchain", { workchain: 4, shard: "8000000000000000" }, () => []),
    listTransactions("users of another workchain", { workchain: 4, exclude_account: [elector, config] }, () => []),
    listTransactions("all but some accounts", { exclude_account: [elector, config], limit: 200 }, ({ rows }) =>
      transactionsBy(rows.transactions, "desc").filter(({ account }) => account !== elector && account !== config),
    ),
    listTransactions("times", { end_utime: 4_000_000_000, limit: 30 }, ({ rows }) =>
      transactionsByTime(rows.transactions, "desc").slice(0, 30),
    ),
    listTransactions("one account by time", { account: config, start_utime: 1, sort: "asc", limit: 5 }, ({ rows }) =>
      transactionsByTime(rows.transactions, "asc")
        .filter(({ account }) => account === config)
        .slice(0, 5),
    ),
    listTransactions(
      "hashes, in their own order",
      ({ rows }) => ({ hash: rows.transactions.slice(0, 3).map(({ hash }) => hash), sort: "asc" }),
      ({ rows }) => sorted(rows.transactions.slice(0, 3), [({ hash }) => hash, "asc"]),
    ),
    listTransactions(
      "a logical time, by account",
      ({ rows }) => ({ lt: rows.transactions[50]?.lt ?? 0n }),
      ({ rows }) =>
        sorted(
          rows.transactions.filter(({ lt }) => lt === rows.transactions[50]?.lt),
          [accountKey, "desc"],
        ),
    ),
    listTransactions("a masterchain block", { mc_seqno: 20, limit: 100 }, ({ rows }) =>
      transactionsBy(rows.transactions, "desc").filter(({ mcBlockSeqno }) => mcBlockSeqno === 20),
    ),
    listTransactions(
      "a block",
      { workchain: -1, shard: "8000000000000000", seqno: 9, sort: "asc", limit: 100 },
      ({ rows }) =>
        transactionsBy(rows.transactions, "asc").filter((each) => each.blockWorkchain === -1 && each.blockSeqno === 9),
    ),
    listTransactions(
      "logical times, both ends included",
      ({ rows }) => ({ start_lt: rows.transactions[50]?.lt ?? 0n, end_lt: rows.transactions[60]?.lt ?? 0n, limit: 99 }),
      ({ rows }) => {
        const [from, to] = [rows.transactions[50]?.lt ?? 0n, rows.transactions[60]?.lt ?? 0n];
        return transactionsBy(rows.transactions, "desc").filter(({ lt }) => lt >= from && lt <= to);
      },
    ),
    listTransactions(
      "both ends of a message",
      (stage) => ({ msg_hash: b64(internal(stage).hash) }),
      (stage) =>
        transactionsBy(
          endsOf(stage, ({ hash }) => hash === internal(stage).hash),
          "desc",
        ),
    ),
    listTransactions(
      "who received the messages with a normalized hash or a hash, by hash",
      (stage) => ({
        msg_hash: [external(stage).hashNorm ?? "", internal(stage).hash],
        direction: "in",
        hash: stage.rows.transactions.map(({ hash }) => hash).slice(0, 90),
        sort: "asc",
      }),
      (stage) => {
        const hashes = [external(stage).hash, internal(stage).hash];
        const received = endsOf(stage, ({ hash }) => hashes.includes(hash), "in");
        const among = stage.rows.transactions.slice(0, 90);
        return sorted(
          received.filter((each) => among.includes(each)),
          [({ hash }) => hash, "asc"],
        );
      },
    ),
    listTransactions("an opcode of an account", { opcode: "ffffffff", account: elector, limit: 1000 }, (stage) =>
      transactionsBy(
        endsOf(stage, ({ opcode }) => opcode === -1).filter(({ account }) => account === elector),
        "desc",
      ),
    ),
    listTransactions(
      "a received opcode of accounts, in a time",
      { opcode: "-1", direction: "in", account: [elector, config], start_utime: 1, sort: "asc", limit: 1000 },
      (stage) =>
        transactionsByTime(
          endsOf(stage, ({ opcode }) => opcode === -1, "in").filter(({ account }) =>
            [elector, config].includes(account),
          ),
          "asc",
        ),
    ),
    listTransactions(
      "a sender and a body, of a block number",
      (stage) => ({
        source: raw(knownWallet),
        body_hash: internal(stage).bodyHash,
        seqno: sending(stage).blockSeqno,
        limit: 100,
      }),
      (stage) =>
        transactionsBy(
          endsOf(
            stage,
            ({ source, bodyHash }) => source === knownWallet && bodyHash === internal(stage).bodyHash,
          ).filter(({ blockSeqno }) => blockSeqno === sending(stage).blockSeqno),
          "desc",
        ),
    ),
    listTransactions("a receiver", { destination: elector, limit: 1000 }, (stage) =>
      transactionsBy(
        endsOf(stage, ({ destination }) => destination === elector),
        "desc",
      ),
    ),
    listTransactions(
      "none when two messages each meet one condition",
      (stage) => ({ msg_hash: internal(stage).hash, body_hash: sameDigits("9") }),
      () => [],
    ),
    refuses(
      "a direction without a message",
      { direction: "in", source: elector },
      422,
      "direction can be specified only with msg_hash or opcode",
    ),
    refuses("a direction that is none", { direction: "up", opcode: 1 }, 422, "direction should be one of: in, out"),
    refuses("a masterchain block that is not indexed", { mc_seqno: 4242 }, 404, notFound(4242)),
    refuses(
      "a bad account among others",
      { account: [elector, "nobody"] },
      422,
      'schema: error converting value for index 1 of "account"',
    ),
    refuses(
      "a bad account in a list with commas",
      { account: `${elector},nobody` },
      422,
      'schema: error converting value for index 0 of "account"',
    ),
    refuses("a negative lt", { lt: "-1" }, 422, 'schema: error converting value for "lt"'),
    ...pageRefusals(),
    sortRefusal(),
  ],
  transactionsByMasterchainBlock: [
    listTransactions("all of a block", { seqno: 20, limit: 100 }, ({ rows }) =>
      transactionsBy(rows.transactions, "desc").filter(({ mcBlockSeqno }) => mcBlockSeqno === 20),
    ),
    listTransactions(
      "a part of a block, from its first on",
      { seqno: 20, sort: "asc", limit: 2, offset: 1 },
      ({ rows }) =>
        transactionsBy(rows.transactions, "asc")
          .filter(({ mcBlockSeqno }) => mcBlockSeqno === 20)
          .slice(1, 3),
    ),
    refuses("no seqno", {}, 404, notFound(0)),
    ...pageRefusals({ seqno: 20 }),
    sortRefusal({ seqno: 20 }),
  ],
  adjacentTransactions: [
    listTransactions(
      "those after",
      (stage) => ({ hash: sending(stage).hash, direction: "out" }),
      (stage) => children(stage, sending(stage)),
    ),
    listTransactions(
      "the one before",
      (stage) => ({ hash: children(stage, sending(stage))[0]?.hash ?? "", direction: "in" }),
      (stage) => [sending(stage)],
    ),
    listTransactions(
      "both, whatever else is said",
      (stage) => ({ hash: sending(stage).hash, direction: "both" }),
      (stage) => children(stage, sending(stage)),
    ),
    refuses("nothing", {}, 404, "adjacent transactions not found"),
    refuses("an unknown one", { hash: sameDigits("9") }, 404, "adjacent transactions not found"),
    refuses("no hash", { hash: "?" }, 422, 'schema: error converting value for "hash"'),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;
