import { MadeRows, transactionsInBlock } from "../../kit/history/made/MadeRows.ts";
import { collectionAt, madeHash, masterAt, personAt } from "../../kit/history/made/madeChain.ts";
import { tableOf } from "../../src/history/seal/Partition.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { address } from "../../src/history/store/schema/columns.ts";
import { partitionWeight } from "../../src/history/store/schema/partitionWeight.ts";
import { commitBatches } from "../../src/history/store/write/commit.ts";
import type { Address } from "../../src/model/Address.ts";
import { databaseBytes } from "../kit/databases.ts";
import { blockTables, type CloneShared, cloneRows, dropSeed, rowTables, takeSeed } from "./cloneRows.ts";
import { describeWidths, layPartitions, seal, suspendIndexes, unlog } from "./layPartitions.ts";

/** A chain in the tables, and where it goes on. */
export interface SkewedChain {
  readonly rows: MadeRows;
  readonly firstSeqno: number;
  readonly nextSeqno: number;
  readonly blockLts: number;
  readonly transactions: number;
  /** The account with a third of all transactions, and the next busiest ones. */
  readonly busy: readonly Address[];
  /** Bytes on disk of a transaction that was written block by block, with all indexes. */
  readonly liveBytes: number;
}

export interface SkewedLoading {
  readonly transactions: number;
  /** How many blocks are written afterwards. */
  readonly moreBlocks: number;
  say(line: string): void;
}

/**
 * So many transactions are written block by block: those of the newest partition, and others before them that are
 * copied until there are enough. With fewer, nearly all accounts are new, and lists of many accounts find a row or none
 * of each.
 */
const maxWritten = 1_000_000;
/** The first user has this share of what users do, which is 30 % of all transactions. */
const hotShare = 0.5;
const blocksInCommit = 20;
/** Accounts that all copies share. */
const busyCount = 40;
/** A power of two that is close to the logical times of a partition of mainnet. */
const partitionLts = 2 ** 32;
/** A block ends with a whole trace, so that it has 1 to 3 % more transactions. */
const moreInBlock = 1.03;
/**
 * The database rounds the width of a partition down to a power of two, by the nearest 65 to 129 blocks, of which it
 * does not see the time after the last: so a partition has its full weight, or just less.
 */
const blockLts = Math.ceil((partitionLts / partitionWeight) * transactionsInBlock * moreInBlock * (65 / 64));
/** The newest partition ends here: before it, there are as many narrow ones as there may be. */
const endLt = 2 ** 42;

/** The blocks of a chain: those that are copied, in so many copies, and those of the newest partition. */
interface SkewedPlan {
  readonly firstSeqno: number;
  readonly seedBlocks: number;
  readonly copies: number;
  readonly headSeqno: number;
  readonly nextSeqno: number;
}

/** The newest partition has all but the blocks that are written afterwards. */
function planChain({ transactions, moreBlocks }: Pick<SkewedLoading, "transactions" | "moreBlocks">): SkewedPlan {
  const nextSeqno = Math.floor(endLt / blockLts) - moreBlocks;
  const headSeqno = Math.ceil((endLt - partitionLts) / blockLts);
  const headBlocks = nextSeqno - headSeqno;
  const blocks = Math.ceil(transactions / transactionsInBlock / moreInBlock);
  const before = Math.max(headBlocks, blocks - headBlocks);
  const seedBlocks = Math.min(before, maxWritten / transactionsInBlock - headBlocks);
  const copies = Math.round(before / seedBlocks);
  return { firstSeqno: headSeqno - copies * seedBlocks, seedBlocks, copies, headSeqno, nextSeqno };
}

/**
 * Fills the tables with a chain in which one account has a third of everything, and half of the jetton wallets and NFT
 * items are of one jetton and one collection. It has the partitions of an index that followed the chain: the newest one
 * at nearly its full weight, finished ones merged and sealed.
 */
export async function loadSkewed(database: Database, loading: SkewedLoading): Promise<SkewedChain> {
  const { transactions, moreBlocks, say } = loading;
  const plan = planChain(loading);
  const { firstSeqno, seedBlocks, headSeqno } = plan;
  const rows = new MadeRows(transactions + moreBlocks * transactionsInBlock, { hotShare, blockLts });
  const known = await findNextSeqno(database);
  const isFilled = known !== undefined;
  const nextSeqno = known ?? plan.nextSeqno;
  const seedEnd = firstSeqno + seedBlocks;
  const write = isFilled ? skipBlocks : writeBlocks;
  const emptyBytes = await databaseBytes(database);
  await write({ database, rows, firstSeqno }, firstSeqno, seedEnd);
  const seedCount = rows.count;
  const liveBytes = isFilled ? Number.NaN : ((await databaseBytes(database)) - emptyBytes) / seedCount;
  const shared = await chooseShared(database, seedEnd);
  if (isFilled) say("the database is filled already");
  else await copySeed(database, shared, { ...plan, say });
  await write({ database, rows, firstSeqno }, headSeqno, nextSeqno);
  if (!isFilled) await finishLoad(database, say);
  const count = seedCount * plan.copies + rows.count - seedCount;
  return { rows, firstSeqno, nextSeqno, blockLts, transactions: count, busy: shared.busy, liveBytes };
}

interface Writing {
  readonly database: Database;
  readonly rows: MadeRows;
  readonly firstSeqno: number;
}

async function writeBlocks({ database, rows, firstSeqno }: Writing, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += blocksInCommit) {
    const batches = Array.from({ length: Math.min(blocksInCommit, to - at) }, (_, each) => rows.next(at + each));
    await commitBatches(database, batches, { firstSeqno });
  }
}

/** Makes the blocks that the database has already, because those after them depend on them. */
async function skipBlocks({ rows }: Writing, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) rows.next(at);
}

interface Copying extends Pick<SkewedLoading, "say">, Omit<SkewedPlan, "nextSeqno"> {}

/** Rows are written without indexes, which are made when a partition is sealed, or afterwards. */
async function copySeed(database: Database, shared: CloneShared, copying: Copying): Promise<void> {
  const { firstSeqno, seedBlocks, copies, headSeqno, say } = copying;
  say(`wrote ${seedBlocks * transactionsInBlock} transactions block by block`);
  await takeSeed(database);
  const copyTo = (names: readonly string[], copy: number) => {
    const blocks = copy * seedBlocks;
    return cloneRows(database, names, { copy, blocks, lts: blocks * blockLts }, shared);
  };
  for (let copy = 0; copy < copies; copy++) await copyTo(blockTables, copy);
  await database.write((session) => session.run(`update segments set next_seqno = ${headSeqno}`));
  const merged = await layPartitions(database, { firstSeqno, nextSeqno: headSeqno });
  say(`partitions of transactions: ${await describeWidths(database, "transactions")}`);

  await unlog(database, merged);
  const tables = await suspendIndexes(database, rowTables);
  for (let copy = 0; copy < copies; copy++) await copyTo(rowTables, copy);
  await dropSeed(database);
  say(`copied ${copies - 1} times; sealing ${merged.length} partitions`);
  for (const partition of merged) await seal(database, partition);
  say("making the other indexes");
  const sealed = new Set(merged.map(tableOf));
  for (const table of tables) if (!sealed.has(table)) await database.runAlone(`reindex table ${table}`);
}

async function finishLoad(database: Database, say: SkewedLoading["say"]): Promise<void> {
  say(`wrote the newest partition; now there are ${await describeWidths(database, "transactions")}`);
  // The database does this by itself from time to time.
  await database.runAlone("vacuum analyze");
}

/** The busiest accounts before a block; the first user is the first of them. */
async function chooseShared(database: Database, before: number): Promise<CloneShared> {
  const rows = await database.query(
    `select account from transactions where lt < ${before * blockLts}
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
