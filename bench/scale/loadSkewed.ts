import { MadeRows, transactionsInBlock } from "../../kit/history/made/MadeRows.ts";
import { collectionAt, madeHash, masterAt, personAt } from "../../kit/history/made/madeChain.ts";
import { usePartitions } from "../../kit/history/retention/usePartitions.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { address } from "../../src/history/store/schema/columns.ts";
import { partitionWeight } from "../../src/history/store/schema/partitionWeight.ts";
import { commitBatches } from "../../src/history/store/write/commit.ts";
import type { Address } from "../../src/model/Address.ts";
import { databaseBytes } from "../kit/databases.ts";
import { dropExtras } from "../kit/extras.ts";
import { type CloneShared, cloneRows, takeSeed } from "./cloneRows.ts";

/** A chain in the tables, and where it goes on. */
export interface SkewedChain {
  readonly rows: MadeRows;
  readonly firstSeqno: number;
  readonly nextSeqno: number;
  readonly transactions: number;
  /** The account with a third of all transactions, and the next busiest ones. */
  readonly busy: readonly Address[];
  /** Bytes on disk of a transaction that was written block by block, with all indexes. */
  readonly liveBytes: number;
}

export interface SkewedLoading {
  readonly transactions: number;
  /** How many more transactions are written afterwards. */
  readonly more: number;
  say(line: string): void;
}

/**
 * So many transactions are written block by block, and copied until there are enough. With fewer, nearly all accounts
 * are new, and lists of many accounts find a row or none of each.
 */
const maxSeed = 1_000_000;
/** The first user has this share of what users do, which is 30 % of all transactions. */
const hotShare = 0.5;
const blocksInCommit = 20;
const blockLts = 1_000_000n;
/** Accounts that all copies share. */
const busyCount = 40;

/**
 * Fills the tables with a chain in which one account has a third of everything, and half of the jetton wallets and NFT
 * items are of one jetton and one collection. The last partition has its full weight, the one before it the rest.
 */
export async function loadSkewed(database: Database, { transactions, more, say }: SkewedLoading): Promise<SkewedChain> {
  const rows = new MadeRows(transactions + more, { hotShare });
  const seedBlocks = Math.ceil(Math.min(maxSeed, transactions) / transactionsInBlock);
  const copies = Math.max(1, Math.round(transactions / (seedBlocks * transactionsInBlock)));
  const blocks = seedBlocks * copies;
  const firstSeqno = Math.ceil(blocks * headShare(transactions)) + 1;
  const nextSeqno = await findNextSeqno(database);
  if (nextSeqno !== undefined) {
    say("the database is filled already");
    for (let at = 0; at < seedBlocks; at++) rows.next(firstSeqno + at);
    const { busy } = await chooseShared(database, firstSeqno + seedBlocks);
    const transactions = (nextSeqno - firstSeqno) * transactionsInBlock;
    return { rows, firstSeqno, nextSeqno, transactions, busy, liveBytes: Number.NaN };
  }
  await usePartitions(database, BigInt(blocks) * blockLts);
  const emptyBytes = await databaseBytes(database);
  for (let at = 0; at < seedBlocks; at += blocksInCommit) {
    const count = Math.min(blocksInCommit, seedBlocks - at);
    const batches = Array.from({ length: count }, (_, each) => rows.next(firstSeqno + at + each));
    await commitBatches(database, batches, { firstSeqno });
  }
  const liveBytes = ((await databaseBytes(database)) - emptyBytes) / rows.count;
  say(`wrote ${rows.count} transactions block by block`);
  const shared = await chooseShared(database, firstSeqno + seedBlocks);
  await copyAll(database, shared, { firstSeqno, seedBlocks, copies, say });
  const chain = { firstSeqno, nextSeqno: firstSeqno + blocks, transactions: rows.count * copies };
  return { rows, ...chain, busy: shared.busy, liveBytes };
}

/** The share of the last partition. */
const headShare = (transactions: number): number => Math.min(0.75, partitionWeight / transactions);

interface Copying extends Pick<SkewedLoading, "say"> {
  readonly firstSeqno: number;
  readonly seedBlocks: number;
  readonly copies: number;
}

/** Indexes and keys are made afterwards. */
async function copyAll(database: Database, shared: CloneShared, copying: Copying): Promise<void> {
  const { firstSeqno, seedBlocks, copies, say } = copying;
  const blocks = seedBlocks * copies;
  const seed = await takeSeed(database);
  const makeAgain = await dropExtras(database, "all");
  const lts = [firstSeqno, firstSeqno + blocks].map((seqno) => String(BigInt(seqno) * blockLts));
  await database.write((session) => session.query("select make_partitions($1::bigint[])", [lts]));
  for (let copy = 1; copy < copies; copy++) {
    await cloneRows(database, seed, { copy, blocks: copy * seedBlocks }, shared);
    if (copy % 10 === 0) say(`copied ${copy} of ${copies - 1} times`);
  }
  await database.write((session) =>
    session.run(`update segments set next_seqno = ${firstSeqno + blocks}; drop schema seed cascade`),
  );
  say("making indexes");
  await makeAgain();
  say("vacuum and analyze");
  await database.runAlone("vacuum analyze");
}

/** The busiest accounts before a block; the first user is the first of them. */
async function chooseShared(database: Database, before: number): Promise<CloneShared> {
  const rows = await database.query(
    `select account from transactions where lt < ${BigInt(before) * blockLts}
     group by account order by count(*) desc, account limit ${busyCount}`,
  );
  const busy = rows.map(({ account }) => address.read(account ?? null));
  if (busy[0] !== personAt(0)) throw new Error("the first user is not the busiest account");
  return { busy, commonBody: madeHash(8, 0), hotMaster: masterAt(0), hotCollection: collectionAt(0) };
}

async function findNextSeqno(database: Database): Promise<number | undefined> {
  const [row] = await database.query("select next_seqno from segments");
  return row === undefined ? undefined : Number(row.next_seqno);
}
