import { join } from "node:path";
import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readBytes, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { Linked } from "../../../src/cell/linked.ts";
import { codeAndData } from "../../../src/history/ingest/decode/accountRows.ts";
import { decodeBatch } from "../../../src/history/ingest/decode/decodeBatch.ts";
import type { StateLookups, StoredState } from "../../../src/history/ingest/states/AccountReader.ts";
import { Account, ShardAccount } from "../../../src/model/Account.ts";
import type { Address } from "../../../src/model/Address.ts";
import { Block } from "../../../src/model/block/Block.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { noEnd, openReader } from "../../kit/history/ingestStage.ts";
import { ScriptedLite } from "../../kit/lite/ScriptedLite.ts";

type Facts = Readonly<Record<string, unknown>>;

/** The stored states of the accounts before a block. */
function databaseOf(accounts: readonly Facts[]): StateLookups {
  const states = new Map<Address, StoredState>();
  const codes = new Map<Hash, Uint8Array>();
  for (const { account, shard_account_before: before } of accounts) {
    const { cell } = loadCell(ShardAccount, readRoot(Buffer.from(asText(before), "base64"))).account;
    const { code, data } = codeAndData(cell);
    if (code !== undefined) codes.set(code.hash(), writeBoc(code));
    states.set(account as Address, {
      codeHash: code?.hash(),
      dataBoc: data === undefined ? undefined : writeBoc(data),
    });
  }
  const pick = <K, V>(from: ReadonlyMap<K, V>, keys: readonly K[]): Map<K, V> =>
    new Map(keys.flatMap((key) => (from.has(key) ? [[key, from.get(key) as V] as const] : [])));
  return {
    findStates: async (addresses) => pick(states, addresses),
    findCodes: async (hashes) => pick(codes, hashes),
  };
}

describeCorpusPart("states after a block of a real network", "replays/*/replay.json", (folder) => {
  const paths = listFiles(folder, "replays", "replay.json");

  it.each(paths)("follow from its update and the states before, without a query: %s", async (path) => {
    const replay = asRecord(readJson(folder, path));
    const accounts = asList(replay.accounts).map(asRecord);
    const root = readRoot(readBytes(folder, join(path, "..", asText(replay.block_boc))));
    const info = loadCell(Block, root).info.load();
    const fileHash = asText(asRecord(replay.block).file_hash) as Hash;
    const id = { ...info.shard, seqno: info.seqno, rootHash: root.hash(), fileHash };
    const globalVersion = Number(replay.global_version);
    const decoded = decodeBatch({ mcSeqno: 1, master: { id, root }, shardBlocks: [], tops: [], globalVersion });
    // The server has no scripted answers: any query fails the test.
    const reader = openReader(new ScriptedLite([]), { lookups: databaseOf(accounts) });
    const recorded = new Set(accounts.map(({ account }) => account));
    const changed = decoded.changed.filter(({ address }) => recorded.has(address));
    const { accounts: made } = await reader.read({ ...decoded, changed }, noEnd);
    const reported = new Map<unknown, string>(
      made.map(({ address, cell, lastTransHash: lastTransactionHash, lastTransLt: lastTransactionLt }) => {
        const after = { account: new Linked(cell, Account), lastTransactionHash, lastTransactionLt };
        return [address, storeCell(ShardAccount, after).hash()];
      }),
    );
    const expected = new Map<unknown, string>(
      accounts.map(({ account, shard_account_after_hash: hash }) => [account, asText(hash).toLowerCase()]),
    );
    expect(reported).toEqual(expected);
    expect(reader.counters()).toEqual({
      rebuilt: expected.size,
      lookedUp: expect.any(Number),
      queries: { unknown: 0, missing: 0, hidden: 0 },
    });
  });
});
