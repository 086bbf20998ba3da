import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import type { ShardAccounts } from "../../../src/model/Account.ts";
import { type Address, accountOf } from "../../../src/model/Address.ts";
import { type BlockId, masterchain, shardHolds, signedShard, wholeShard } from "../../../src/model/block/BlockId.ts";
import { listShardTops } from "../../../src/model/block/ShardHashes.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import { type ChainRecord, listChainRecords, readChainRecord } from "../../kit/cell/chainRecord.ts";
import { followChain } from "../../kit/cell/checkChain.ts";
import { checkBlockParts, checkIndexFacts, checkStates, listTransactions } from "../../kit/model/checkModelChain.ts";
import { recordedAccountJson } from "../../kit/model/recordJson.ts";

/** Files with this name next to the index of a recorded chain. */
function besideRecords(folder: string, name: string): string[] {
  const files = listChainRecords(folder).flatMap((record) => listFiles(folder, record, name));
  return files.filter((path) => basename(path) === name);
}

describeCorpusPart("recorded chains, as values", "*/index.json", (folder) => {
  it.each(listChainRecords(folder))("have blocks that are read completely and written unchanged: %s", (name) => {
    const record = readChainRecord(folder, name);
    const met = checkBlockParts(record);
    process.stdout.write(`${name}: ${met.links} links, ${met.entries} entries, ${met.pruned} pruned\n`);
    expect(met.links).toBeGreaterThan(record.blocks.length * 4);
  });

  it.each(listChainRecords(folder))("start with states that are read completely: %s", (name) => {
    expect(checkStates(readChainRecord(folder, name)).links).toBeGreaterThan(0);
  });

  it.each(listChainRecords(folder))("have blocks that match the index: %s", (name) => {
    checkIndexFacts(readChainRecord(folder, name));
  });

  it.each(besideRecords(folder, "transactions.jsonl.gz"))("match a second parser: %s", (path) => {
    const transactions = listTransactions(readChainRecord(folder, join(path, "..")));
    const expected = readJsonLinesGz(folder, path).map(asRecord);
    expect(transactions.size).toBe(expected.length);
    for (const { mc_seqno, trace_root, depth, ...facts } of expected)
      expect(transactions.get(asText(facts.hash))).toEqual(facts);
  });

  it.each(besideRecords(folder, "accounts.json"))("end with the accounts of a second parser: %s", (path) => {
    const { at_mc_seqno: seqno, accounts } = asRecord(readJson(folder, path));
    const chains = accountsAt(readChainRecord(folder, join(path, "..")), Number(seqno));
    for (const { name, tx_count, ...facts } of asList(accounts).map(asRecord)) {
      const address = asText(facts.address) as Address;
      const account = chains.find(({ block }) => shardHolds(block, address))?.accounts.find(accountOf(address));
      if (account === undefined) expect([address, facts.status]).toEqual([address, "nonexist"]);
      else expect(recordedAccountJson(account)).toEqual(facts);
    }
  });
});

interface AccountsOfShard {
  readonly block: BlockId;
  readonly accounts: ShardAccounts;
}

/** The accounts of all shards after a masterchain block. */
function accountsAt(record: ChainRecord, seqno: number): AccountsOfShard[] {
  const states = followChain(record);
  const stateOf = (workchain: number, shard: bigint, at: number): ShardStateUnsplit => {
    const state = states.get(`${workchain} ${signedShard(shard)} ${at}`);
    if (state === undefined) throw new Error(`no state ${workchain} ${shard} ${at}`);
    return loadCell(ShardStateUnsplit, state);
  };
  const master = stateOf(masterchain, wholeShard, seqno);
  const shards = [{ block: { workchain: masterchain, shard: wholeShard, seqno }, accounts: master.accounts.load() }];
  const extra = master.custom?.load();
  if (extra === undefined) throw new Error("a masterchain state without McStateExtra");
  for (const { workchain, shard, description } of listShardTops(extra.shardHashes)) {
    shards.push({
      block: { workchain, shard, seqno: description.seqno },
      accounts: stateOf(workchain, shard, description.seqno).accounts.load(),
    });
  }
  return shards;
}
