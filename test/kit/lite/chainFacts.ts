import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ProvableExchange } from "../../../kit/lite/provenAnswer.ts";
import { readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asList, asRecord } from "../../../kit/suite/record.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { toHex } from "../../../src/lib/bytes.ts";
import type { AccountAt } from "../../../src/lite/queries/accounts.ts";
import type { HeaderAt } from "../../../src/lite/queries/blockHeader.ts";
import type { ConfigAt } from "../../../src/lite/queries/config.ts";
import type { BlockPage, BlockTransactionId } from "../../../src/lite/queries/transactions.ts";
import type * as queries from "../../../src/lite/tl/liteQueries.ts";
import type { TlValue } from "../../../src/lite/tl/types.ts";
import { Block, forEachTransaction } from "../../../src/model/block/Block.ts";
import { type BlockIdExt, masterchain, signedShard } from "../../../src/model/block/BlockId.ts";
import { type BlockInfo, type HeaderFields, prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import { type ShardTop, shardTopId } from "../../../src/model/block/ShardHashes.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import type { InCell } from "../../../src/model/Message.ts";
import type { Transaction } from "../../../src/model/Transaction.ts";
import { type RecordedBlock, readChainRecord } from "../cell/chainRecord.ts";

interface IndexedBlock extends RecordedBlock {
  readonly gen_utime: number;
  readonly start_lt: string;
  readonly end_lt: string;
  readonly mc_seqno: number;
  readonly key_block?: boolean;
}

/** Facts about a recorded chain from sources other than its lite server. */
export interface ChainFacts {
  readonly head: number;
  findBlock(rootHash: string): IndexedBlock | undefined;
  /** The newest shard blocks that a masterchain block commits to. */
  topsAt(seqno: number): readonly string[];
  /** Hash of the configuration in force after a masterchain block. */
  configAt(seqno: number): string;
  /** Transactions of a block by account, then logical time. */
  transactionsOf(rootHash: string): readonly BlockTransactionId[];
  /** By address; undefined if not recorded. */
  readonly accounts: ReadonlyMap<string, Readonly<Record<string, unknown>>> | undefined;
  /** By hash; undefined if not recorded. */
  readonly transactions: ReadonlyMap<string, Readonly<Record<string, unknown>>> | undefined;
}

export function readChainFacts(folder: string, network: string): ChainFacts {
  const record = readChainRecord(folder, network);
  const index = asRecord(readJson(folder, join(network, "index.json")));
  const blocks = asList(index.blocks) as readonly IndexedBlock[];
  const byHash = new Map(blocks.map((block) => [block.root_hash, block]));
  const open = (block: RecordedBlock): Block => loadCell(Block, readRoot(record.blockBytes(block)));
  const findBlock = (rootHash: string): IndexedBlock | undefined => byHash.get(rootHash);
  return {
    head: Number(asRecord(index.head).seqno),
    findBlock,
    topsAt: (seqno) => topsAt(blocks, seqno),
    configAt: (seqno) => {
      const keyBlock = blocks.findLast((block) => block.key_block === true && block.seqno <= seqno);
      const zeroState = record.zerostates.find(({ workchain }) => workchain === masterchain);
      if (zeroState === undefined) throw new Error("no zero state");
      const config =
        keyBlock === undefined
          ? loadCell(ShardStateUnsplit, readRoot(record.stateBytes(zeroState))).custom?.load().config
          : open(keyBlock).extra.load().custom?.load().config;
      return config?.params.root?.hash() ?? "none";
    },
    transactionsOf: (rootHash) => {
      const block = findBlock(rootHash);
      const list: BlockTransactionId[] = [];
      if (block !== undefined)
        forEachTransaction(open(block), (cell, account, lt) => void list.push({ account, lt, hash: cell.hash() }));
      return list;
    },
    accounts: keyed(folder, join(network, "accounts.json"), "address"),
    transactions: keyed(folder, join(network, "transactions.jsonl.gz"), "hash"),
  };
}

function keyed(folder: string, path: string, key: string): Map<string, Readonly<Record<string, unknown>>> | undefined {
  if (!existsSync(join(folder, path))) return undefined;
  const list = path.endsWith(".gz") ? readJsonLinesGz(folder, path) : asList(asRecord(readJson(folder, path)).accounts);
  return new Map(list.map(asRecord).map((entry) => [String(entry[key]), entry]));
}

function topsAt(blocks: readonly IndexedBlock[], seqno: number): string[] {
  const committed = blocks.filter((block) => block.workchain !== masterchain && block.mc_seqno <= seqno);
  const followed = new Set(committed.flatMap(({ prev }) => prev.map(([shard, at]) => `${shard}:${at}`)));
  return committed.filter(({ shard, seqno: at }) => !followed.has(`${shard}:${at}`)).map((block) => block.root_hash);
}

/** Compares the proved values of an answer with the facts of the chain. */
export function expectRecorded(facts: ChainFacts, { name, request }: ProvableExchange, value: unknown): void {
  compare[name]?.(facts, value, request.args);
}

type Comparison = (facts: ChainFacts, value: unknown, args: unknown) => void;

const compare: Readonly<Record<string, Comparison>> = {
  getAccountState: compareAccount,
  getAccountStatePrunned: compareAccount,
  getBlock: (facts, value) => compareHeader(facts, value as HeaderAt),
  getBlockHeader: (facts, value) => compareHeader(facts, value as HeaderAt),
  lookupBlockWithProof: (facts, value) => compareHeader(facts, value as HeaderAt),
  lookupBlock: (facts, value) => {
    if (typeof value === "string") return;
    const { rootHash, info } = value as { readonly rootHash: string; readonly info: BlockInfo };
    compareInfo(facts.findBlock(rootHash), info);
  },
  getAllShardsInfo: (facts, value, args) => {
    const { id } = args as TlValue<typeof queries.getAllShardsInfo>;
    const tops = (value as ShardTop[]).map(shardTopId);
    for (const top of tops.filter(({ seqno }) => seqno > 0)) compareId(facts, top);
    expect(tops.filter(({ seqno }) => seqno > 0).map(({ rootHash }) => rootHash)).toHaveLength(
      facts.topsAt(id.seqno).length,
    );
    expect(new Set(tops.filter(({ seqno }) => seqno > 0).map(({ rootHash }) => rootHash as string))).toEqual(
      new Set(facts.topsAt(id.seqno)),
    );
  },
  getShardInfo: (facts, value, args) => {
    const { id } = args as TlValue<typeof queries.getShardInfo>;
    if (value !== undefined) expect(facts.topsAt(id.seqno)).toContain(shardTopId(value as ShardTop).rootHash);
  },
  getConfigAll: compareConfig,
  getConfigParams: compareConfig,
  getOneTransaction: (facts, value, args) => {
    const { id, lt, account } = args as TlValue<typeof queries.getOneTransaction>;
    const blockTransactionId = facts
      .transactionsOf(toHex(id.rootHash))
      .find((transaction) => transaction.account === toHex(account.id) && transaction.lt === lt);
    expect(value === "claimed-missing" ? undefined : (value as InCell<Transaction>).cell.hash()).toBe(
      blockTransactionId?.hash,
    );
    if (value !== "claimed-missing") compareTransaction(facts, value as InCell<Transaction>);
  },
  getTransactions: (facts, value) => {
    for (const transaction of value as InCell<Transaction>[]) compareTransaction(facts, transaction);
  },
  listBlockTransactions: (facts, value, args) => comparePage(facts, value as BlockPage<BlockTransactionId>, args),
  listBlockTransactionsExt: (facts, value, args) => {
    const { items, incomplete } = value as BlockPage<InCell<Transaction>>;
    for (const transaction of items) compareTransaction(facts, transaction);
    const ids = items.map(({ account, lt, cell }) => ({ account, lt, hash: cell.hash() }));
    comparePage(facts, { items: ids, incomplete }, args);
  },
  getBlockProof: (facts, value) => {
    if (typeof value === "string") return;
    const { block, header } = value as { readonly block: BlockIdExt; readonly header: HeaderFields | undefined };
    if (block.seqno > 0) compareId(facts, block);
    if (header !== undefined) compareFields(facts.findBlock(block.rootHash), header);
  },
  runSmcMethod: (facts, value) => compareId(facts, value as BlockIdExt),
};

function compareId(facts: ChainFacts, id: BlockIdExt): void {
  const { workchain, shard, seqno, file_hash } = facts.findBlock(id.rootHash) ?? {};
  expect({ workchain, shard, seqno, file_hash }).toEqual({
    workchain: id.workchain,
    shard: String(signedShard(id.shard)),
    seqno: id.seqno,
    file_hash: id.fileHash,
  });
}

function compareHeader(facts: ChainFacts, { id, info }: HeaderAt): void {
  compareId(facts, id);
  compareInfo(facts.findBlock(id.rootHash), info);
}

function compareInfo(known: IndexedBlock | undefined, info: BlockInfo): void {
  compareFields(known, info);
  const before = prevBlockIds(info).map(({ shard, seqno }) => [String(signedShard(shard)), seqno]);
  expect(before).toEqual(known?.prev);
}

function compareFields(known: IndexedBlock | undefined, header: HeaderFields): void {
  const { seqno, gen_utime, start_lt, end_lt, key_block = false } = known ?? {};
  expect({ seqno, gen_utime, start_lt, end_lt, key_block }).toEqual({
    seqno: header.seqno,
    gen_utime: header.genUtime,
    start_lt: String(header.startLt),
    end_lt: String(header.endLt),
    key_block: header.keyBlock,
  });
}

function compareConfig(facts: ChainFacts, value: unknown): void {
  const { block, config } = value as ConfigAt;
  expect(config.params.root?.hash(0)).toBe(facts.configAt(block.seqno));
}

function compareAccount(facts: ChainFacts, value: unknown): void {
  const at = value as AccountAt;
  if (at.shard !== undefined) compareId(facts, at.shard.block);
  const known = facts.accounts?.get(at.address);
  if (known === undefined || at.block.seqno !== facts.head || at.block.workchain !== masterchain) return;
  const { status, balance, account_state_hash: hash, last_transaction: last } = known;
  if (at.entry === undefined) {
    expect(status).toBe("nonexist");
    return;
  }
  const { shardAccount } = at.entry;
  const account = at.entry.account;
  if (account.kind === "none") throw new Error(`${at.address} has an empty entry`);
  expect({ status, balance, hash, last }).toEqual({
    status: account.storage.state.kind,
    balance: String(account.storage.balance.coins),
    hash: at.entry.cell.hash(0),
    last: { hash: shardAccount.lastTransactionHash, lt: String(shardAccount.lastTransactionLt) },
  });
}

function compareTransaction(facts: ChainFacts, transaction: InCell<Transaction>): void {
  if (facts.transactions === undefined) return;
  const known = asRecord(facts.transactions.get(transaction.cell.hash()));
  const { account, lt, now, prev_trans_hash, prev_trans_lt, in_msg, out_msgs } = known;
  expect({ account, lt, now, prev_trans_hash, prev_trans_lt, in: messageHash(in_msg), out: out_msgs }).toEqual({
    account: `${String(known.account).split(":")[0]}:${transaction.account}`,
    lt: String(transaction.lt),
    now: transaction.now,
    prev_trans_hash: transaction.prevHash,
    prev_trans_lt: String(transaction.prevLt),
    in: transaction.messages.in?.cell.hash(),
    out: transaction.messages.out.values().map(({ cell }) => cell.hash()),
  });
}

function messageHash(message: unknown): unknown {
  return message === null || message === undefined ? undefined : asRecord(message).hash;
}

function comparePage(facts: ChainFacts, page: BlockPage<BlockTransactionId>, args: unknown): void {
  const { id, reverseOrder, after, count } = args as TlValue<typeof queries.listBlockTransactions>;
  const all = facts.transactionsOf(toHex(id.rootHash));
  const ordered = reverseOrder === true ? all.toReversed() : all;
  const isBehind = (item: BlockTransactionId): boolean => {
    if (after === undefined) return true;
    const [a, b] = [`${item.account}:${ltKey(item.lt)}`, `${toHex(after.account)}:${ltKey(after.lt)}`];
    return reverseOrder === true ? a < b : a > b;
  };
  const behind = ordered.filter(isBehind);
  const items = behind.slice(0, Math.min(count, page.items.length));
  expect(page).toEqual({ items, incomplete: behind.length > items.length });
  expect(items.length).toBe(Math.min(count, behind.length, 256));
}

function ltKey(lt: bigint): string {
  return lt.toString(16).padStart(16, "0");
}
