import { describe, expect, it } from "vitest";
import { blockIdToTl } from "../../../src/lite/queries/ids.ts";
import * as queries from "../../../src/lite/tl/liteQueries.ts";
import { type Need, noNeed } from "../../../src/lite/tl/need.ts";
import { needOf } from "../../../src/lite/tl/queryEnvelope.ts";
import { masterBlock } from "../../kit/lite/FakeLite.ts";

const id = blockIdToTl(masterBlock(70));
const shardId = { ...id, workchain: 0 };
const account = { workchain: 0, id: new Uint8Array(32) };
const hash = new Uint8Array(32);
const block: Partial<Need> = { place: { kind: "block", seqno: 70 }, atLeast: 70 };
const state: Partial<Need> = { place: { kind: "state", seqno: 70 }, atLeast: 70 };
const shard: Partial<Need> = { place: { kind: "shard" } };

const cases: readonly [string, Need, Partial<Need>][] = [
  ["getMasterchainInfo", needOf(queries.getMasterchainInfo, {}), { newest: true }],
  ["getMasterchainInfoExt", needOf(queries.getMasterchainInfoExt, { mode: 0 }), { newest: true }],
  ["getTime", needOf(queries.getTime, {}), {}],
  ["getLibraries", needOf(queries.getLibraries, { libraryList: [] }), {}],
  ["sendMessage", needOf(queries.sendMessage, { body: hash }), { kind: "send" }],
  ["getBlock", needOf(queries.getBlock, { id }), block],
  ["getBlock of a shard", needOf(queries.getBlock, { id: shardId }), shard],
  ["getBlockHeader", needOf(queries.getBlockHeader, { id, mode: 0 }), block],
  ["listBlockTransactions", needOf(queries.listBlockTransactions, { id, mode: 7, count: 1 }), block],
  ["getAccountState", needOf(queries.getAccountState, { id, account }), state],
  ["getAllShardsInfo", needOf(queries.getAllShardsInfo, { id }), state],
  ["getConfigAll", needOf(queries.getConfigAll, { id, mode: 0 }), state],
  ["getOneTransaction", needOf(queries.getOneTransaction, { id: shardId, account, lt: 5n }), shard],
  [
    "getTransactions",
    needOf(queries.getTransactions, { count: 1, account, lt: 5n, hash }),
    { place: { kind: "lt", lt: 5n } },
  ],
  ["lookupBlock by seqno", needOf(queries.lookupBlock, { mode: 1, id }), block],
  ["lookupBlock of a shard by seqno", needOf(queries.lookupBlock, { mode: 1, id: shardId }), shard],
  [
    "lookupBlock by lt",
    needOf(queries.lookupBlock, { mode: 2, id: shardId, lt: 5n }),
    { place: { kind: "lt", lt: 5n } },
  ],
  [
    "lookupBlockWithProof by time",
    needOf(queries.lookupBlockWithProof, { mode: 4, id, mcBlockId: id, utime: 5 }),
    { place: { kind: "time", at: 5 }, atLeast: 70 },
  ],
  [
    "getBlockProof",
    needOf(queries.getBlockProof, { mode: 1, knownBlock: blockIdToTl(masterBlock(3)), targetBlock: id }),
    { atLeast: 70 },
  ],
  ["getTime after a wait", needOf(queries.getTime, {}, { seqno: 90, timeoutMs: 500 }), { atLeast: 90, waitMs: 500 }],
];

describe("the needs of a query", () => {
  it.each(cases)("follow from the arguments of %s", (_name, need, declared) => {
    expect(need).toEqual({ ...noNeed, ...declared });
  });

  it("read seqnos as unsigned numbers", () => {
    expect(needOf(queries.getBlock, { id: { ...id, seqno: -16 } }).atLeast).toBe(0xffff_fff0);
  });
});
