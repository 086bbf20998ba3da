import { Address } from "@ton/core";
import { LiteClient, LiteSingleEngine } from "ton-lite-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findTransaction } from "../../kit/lite/queries/oneTransaction.ts";
import { fetchPrunedAccount } from "../../kit/lite/queries/prunedAccount.ts";
import { findShardInfo } from "../../kit/lite/queries/shardInfo.ts";
import { fetchLibraries } from "../../kit/lite/queries/unprovenLibraries.ts";
import { loadCell } from "../../src/cell/codec.ts";
import { toHex } from "../../src/lib/bytes.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { AdnlServer } from "../../src/lite/adnl/AdnlServer.ts";
import { LiteError } from "../../src/lite/errors.ts";
import { fetchAccount } from "../../src/lite/queries/accounts.ts";
import { fetchBlockHeader } from "../../src/lite/queries/blockHeader.ts";
import { fetchBlockProof } from "../../src/lite/queries/blockProof.ts";
import { fetchBlock, fetchZeroState } from "../../src/lite/queries/blocks.ts";
import { fetchConfig, fetchConfigParams } from "../../src/lite/queries/config.ts";
import { blockIdToTl } from "../../src/lite/queries/ids.ts";
import { fetchLibrariesWithProof } from "../../src/lite/queries/libraries.ts";
import { type Lookup, lookUpClaimed, lookUpProven } from "../../src/lite/queries/lookup.ts";
import { fetchQueueSize, fetchQueueSizes } from "../../src/lite/queries/queues.ts";
import { fetchAllShards, fetchShardBlockProof } from "../../src/lite/queries/shards.ts";
import {
  fetchBlockTransactions,
  fetchBlockTransactionsExt,
  fetchTransactions,
} from "../../src/lite/queries/transactions.ts";
import { LiteConnection } from "../../src/lite/server/LiteConnection.ts";
import { ask } from "../../src/lite/server/LiteServer.ts";
import { serveLite } from "../../src/lite/server/serveLite.ts";
import { getValidatorStats } from "../../src/lite/tl/liteQueries.ts";
import type { Ledger, LedgerBlock } from "../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../src/localnet/network/LocalLiteServer.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { forEachTransaction } from "../../src/model/block/Block.ts";
import { type BlockIdExt, basechain, masterchain, wholeShard } from "../../src/model/block/BlockId.ts";
import { prevBlockIds } from "../../src/model/block/BlockInfo.ts";
import { listShardTops, shardTopId } from "../../src/model/block/ShardHashes.ts";
import { ShardStateUnsplit } from "../../src/model/block/ShardState.ts";
import type { Hash } from "../../src/model/Hash.ts";
import { importSplitChain } from "../kit/localnet/splitChain.ts";

const { signal } = new AbortController();
const options = { signal };

describe("a recorded chain on a real socket", () => {
  const ledger: Ledger = importSplitChain();
  const blocks = listBlocks(ledger);
  const head = ledger.headId;
  let server: AdnlServer;
  let connection: LiteConnection;

  beforeAll(async () => {
    const local = new LocalLiteServer({ ledger });
    const modules = { clock: systemClock, random: systemRandom, handler: serveLite(local, systemClock) };
    server = await AdnlServer.open({ host: "127.0.0.1", port: 0, seeds: [systemRandom.bytes(32)] }, modules);
    const publicKey = server.publicKeys[0] ?? new Uint8Array();
    connection = new LiteConnection({ host: "127.0.0.1", port: server.port, publicKey }, modules);
  });

  afterAll(async () => {
    await connection.close();
    server.destroy(new LiteError("lite/closed", "the test is over"));
  });

  it("returns every block, header and zero state to our client", async () => {
    for (const { id, bytes, info } of blocks) {
      expect(Buffer.compare((await fetchBlock(connection, id, options)).bytes, bytes)).toBe(0);
      expect((await fetchBlockHeader(connection, id, options)).info).toEqual(info);
    }
    for (const { id, root } of ledger.zeroStates)
      expect((await fetchZeroState(connection, id, options)).hash()).toBe(root.hash());
  });

  it("finds every block by seqno, time and logical time, with proof and without", async () => {
    for (const { id, info } of blocks) {
      const place = { workchain: id.workchain, shard: id.shard };
      const ways: Lookup[] = [
        { ...place, by: "seqno", seqno: id.seqno },
        { ...place, by: "lt", lt: info.endLt },
      ];
      for (const lookup of ways) {
        expect((await lookUpClaimed(connection, lookup, options)).id).toEqual(id);
        if (lookup.by === "seqno" || id.seqno > 1)
          expect((await lookUpProven(connection, head, lookup, options)).id).toEqual(id);
      }
      const upClaimed = await lookUpClaimed(connection, { ...place, by: "time", at: info.genUtime }, options);
      expect(upClaimed.info.genUtime).toBe(info.genUtime);
      expect(upClaimed.id.seqno).toBeLessThanOrEqual(id.seqno);
    }
  });

  it("proves shard lists, shard tops and shard blocks across the split", async () => {
    for (const { id } of blocks.filter((block) => block.id.workchain === masterchain)) {
      const tops = await fetchAllShards(connection, id, options);
      for (const top of tops) {
        const asked = { workchain: top.workchain, shard: top.shard, exact: true };
        expect(await findShardInfo(connection, id, asked, options)).toEqual(top);
      }
      expect(tops.length).toBe(id.seqno < 15 ? 1 : 2);
      const missing = { workchain: basechain, shard: id.seqno < 15 ? 1n << 62n : wholeShard, exact: true };
      expect(await findShardInfo(connection, id, missing, options)).toBeUndefined();
    }
    for (const { id, masterSeqno } of blocks.filter((block) => block.id.workchain === basechain)) {
      const { masterBlock } = await fetchShardBlockProof(connection, id, options);
      expect(masterBlock.seqno).toBe(masterSeqno);
    }
  });

  it("proves every account at every tenth block, and missing accounts", async () => {
    let proved = 0;
    for (let seqno = 10; seqno <= head.seqno; seqno += 10) {
      const master = ledger.getMaster(seqno).id;
      const tops = (await fetchAllShards(connection, master, options)).map(shardTopId);
      for (const shard of [master, ...tops]) {
        for (const [account, hash] of accountsAt(ledger, shard)) {
          const address = makeAddress(shard.workchain, account);
          const { entry } = await fetchAccount(connection, master, address, options);
          expect(entry?.cell.hash()).toBe(hash);
          const pruned = await fetchPrunedAccount(connection, master, address, options);
          expect(pruned.entry?.cell.hash(0)).toBe(hash);
          proved++;
        }
      }
    }
    expect(proved).toBe(18);
    for (const missing of [
      makeAddress(0, "07".repeat(32)),
      makeAddress(-1, "07".repeat(32)),
      makeAddress(3, "07".repeat(32)),
    ])
      expect((await fetchAccount(connection, head, missing, options)).entry).toBeUndefined();
  });

  it("proves every transaction: by page, alone, and as history", async () => {
    for (const block of blocks) {
      const all: { account: Hash; lt: bigint; hash: Hash }[] = [];
      forEachTransaction(ledger.block(block), (cell, account, lt) => void all.push({ account, lt, hash: cell.hash() }));
      const page = await fetchBlockTransactions(connection, block.id, { count: 256 }, options);
      expect(page).toEqual({ items: all, incomplete: false });
      const whole = await fetchBlockTransactionsExt(connection, block.id, { count: 256, reverse: true }, options);
      expect(whole.items.map(({ cell }) => cell.hash())).toEqual(all.map(({ hash }) => hash).toReversed());
      for (const { account, lt, hash } of all) {
        const address = makeAddress(block.id.workchain, account);
        expect((await findTransaction(connection, block.id, address, lt, options))?.cell.hash()).toBe(hash);
        const history = await fetchTransactions(connection, address, { lt, hash }, 16, options);
        expect(history[0]?.claimedBlock).toEqual(block.id);
      }
      const [first] = all;
      if (first !== undefined) {
        const address = makeAddress(block.id.workchain, first.account);
        expect(await findTransaction(connection, block.id, address, first.lt + 1n, options)).toBeUndefined();
      }
    }
  });

  it("proves configuration, libraries, queues, statistics and older blocks", async () => {
    const { config } = await fetchConfig(connection, head, options);
    const some = await fetchConfigParams(connection, head, [0, 8, 34], options);
    for (const id of [0, 8, 34]) expect(some.config.params.get(id).hash(0)).toBe(config.params.get(id).hash(0));
    const unknown = "11".repeat(32) as Hash;
    expect([...(await fetchLibraries(connection, [unknown], options))]).toEqual([]);
    expect([...(await fetchLibrariesWithProof(connection, head, [unknown], options))]).toEqual([]);
    const { shards } = await fetchQueueSizes(connection, undefined, options);
    expect(shards.length).toBe(3);
    for (const { block, size } of shards) expect((await fetchQueueSize(connection, block, options)).size).toBe(size);
    const stats = await ask(connection, getValidatorStats, { mode: 0, id: blockIdToTl(head), limit: 10 }, options);
    expect(stats).toMatchObject({ complete: true, count: 2 });
    for (let seqno = 0; seqno < head.seqno; seqno++) {
      const target = seqno === 0 ? ledger.zero.id : ledger.getMaster(seqno).id;
      expect(await fetchBlockProof(connection, head, target, options)).toMatchObject({ block: target, complete: true });
    }
  });

  it("works with ton-lite-client, an independent client", async () => {
    const publicKey = Buffer.from(server.publicKeys[0] ?? []);
    const engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${server.port}`, publicKey });
    await new Promise((resolve) => engine.once("ready", resolve));
    const client = new LiteClient({ engine });
    const { last } = await client.getMasterchainInfo();
    expect({ seqno: last.seqno, rootHash: toHex(last.rootHash) }).toEqual({
      seqno: head.seqno,
      rootHash: head.rootHash,
    });
    const elector = new Address(-1, Buffer.alloc(32, 0x33));
    const state = await client.getAccountState(elector, last);
    expect(state.balance.coins).toBeGreaterThan(0n);
    const { id } = await client.lookupBlockByID({ workchain: -1, shard: "-9223372036854775808", seqno: 7 });
    expect(toHex(id.rootHash)).toBe(ledger.getMaster(7).id.rootHash);
    expect(toHex((await client.getBlockHeader(id)).id.rootHash)).toBe(ledger.getMaster(7).id.rootHash);
    const { ids } = await client.listBlockTransactions(id);
    expect(ids.length).toBeGreaterThan(0);
    const shards = await client.getAllShardsInfo(last);
    expect(Object.keys(shards.shards)).toEqual(["0"]);
    expect((await client.getConfig(last)).config.get(0)?.bits.length).toBe(256);
    expect((await client.getFullBlock(20)).shards.length).toBeGreaterThan(0);
    engine.close();
  });
});

/** Every block, found backwards from the head. */
function listBlocks(ledger: Ledger): LedgerBlock[] {
  const ledgerBlocks = new Map<Hash, LedgerBlock>();
  const masters = Array.from({ length: ledger.headId.seqno }, (_, i) => ledger.getMaster(i + 1));
  const blockIdExts: BlockIdExt[] = masters.flatMap((master) => {
    const custom = ledger.block(master).extra.load().custom?.load();
    return [master.id, ...(custom === undefined ? [] : listShardTops(custom.shardHashes).map(shardTopId))];
  });
  for (let id = blockIdExts.pop(); id !== undefined; id = blockIdExts.pop()) {
    if (id.seqno === 0 || ledgerBlocks.has(id.rootHash)) continue;
    const block = ledger.getBlock(id);
    ledgerBlocks.set(id.rootHash, block);
    blockIdExts.push(...prevBlockIds(block.info));
  }
  return [...ledgerBlocks.values()].sort((a, b) => a.id.seqno - b.id.seqno);
}

function accountsAt(ledger: Ledger, block: BlockIdExt): [Hash, Hash][] {
  const { accounts } = loadCell(ShardStateUnsplit, ledger.state(block));
  return accounts
    .load()
    .entries()
    .map(([account, { account: link }]) => [account, link.cell.hash()]);
}
