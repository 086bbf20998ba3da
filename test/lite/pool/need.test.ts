import { describe, expect, it } from "vitest";
import { type Need, needOf } from "../../../src/lite/pool/need.ts";
import { blockIdToTl } from "../../../src/lite/queries/ids.ts";
import * as queries from "../../../src/lite/tl/liteQueries.ts";
import { encodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { masterBlock } from "../../kit/lite/FakeLite.ts";

const id = blockIdToTl(masterBlock(70));
const shardId = { ...id, workchain: 0 };
const account = { workchain: 0, id: new Uint8Array(32) };
const hash = new Uint8Array(32);
const anywhere: Need = { kind: "read", place: { kind: "any" }, atLeast: 0, newest: false, waitMs: 0 };
const block: Partial<Need> = { place: { kind: "block", seqno: 70 }, atLeast: 70 };
const state: Partial<Need> = { place: { kind: "state", seqno: 70 }, atLeast: 70 };
const shard: Partial<Need> = { place: { kind: "shard" } };

const cases: readonly [string, Uint8Array, Partial<Need>][] = [
  ["getMasterchainInfo", encodeQuery(queries.getMasterchainInfo, {}), { newest: true }],
  ["getMasterchainInfoExt", encodeQuery(queries.getMasterchainInfoExt, { mode: 0 }), { newest: true }],
  ["getTime", encodeQuery(queries.getTime, {}), {}],
  ["getLibraries", encodeQuery(queries.getLibraries, { libraryList: [] }), {}],
  ["sendMessage", encodeQuery(queries.sendMessage, { body: hash }), { kind: "send" }],
  ["getBlock", encodeQuery(queries.getBlock, { id }), block],
  ["getBlock of a shard", encodeQuery(queries.getBlock, { id: shardId }), shard],
  ["getBlockHeader", encodeQuery(queries.getBlockHeader, { id, mode: 0 }), block],
  ["listBlockTransactions", encodeQuery(queries.listBlockTransactions, { id, mode: 7, count: 1 }), block],
  ["getAccountState", encodeQuery(queries.getAccountState, { id, account }), state],
  ["getAllShardsInfo", encodeQuery(queries.getAllShardsInfo, { id }), state],
  ["getConfigAll", encodeQuery(queries.getConfigAll, { id, mode: 0 }), state],
  ["getOneTransaction", encodeQuery(queries.getOneTransaction, { id: shardId, account, lt: 5n }), shard],
  [
    "getTransactions",
    encodeQuery(queries.getTransactions, { count: 1, account, lt: 5n, hash }),
    { place: { kind: "lt", lt: 5n } },
  ],
  ["lookupBlock by seqno", encodeQuery(queries.lookupBlock, { mode: 1, id }), block],
  ["lookupBlock of a shard by seqno", encodeQuery(queries.lookupBlock, { mode: 1, id: shardId }), shard],
  [
    "lookupBlock by lt",
    encodeQuery(queries.lookupBlock, { mode: 2, id: shardId, lt: 5n }),
    { place: { kind: "lt", lt: 5n } },
  ],
  [
    "lookupBlockWithProof by time",
    encodeQuery(queries.lookupBlockWithProof, { mode: 4, id, mcBlockId: id, utime: 5 }),
    { place: { kind: "time", at: 5 }, atLeast: 70 },
  ],
  [
    "getBlockProof",
    encodeQuery(queries.getBlockProof, { mode: 1, knownBlock: blockIdToTl(masterBlock(3)), targetBlock: id }),
    { atLeast: 70 },
  ],
  [
    "getTime after a wait",
    encodeQuery(queries.getTime, {}, { seqno: 90, timeoutMs: 500 }),
    { atLeast: 90, waitMs: 500 },
  ],
  ["what is no question", new Uint8Array([1, 2, 3]), {}],
];

describe("what a question needs", () => {
  it.each(cases)("%s", (_name, question, need) => {
    expect(needOf(question)).toEqual({ ...anywhere, ...need });
  });

  it("reads seqnos as the unsigned numbers they are", () => {
    const question = encodeQuery(queries.getBlock, { id: { ...id, seqno: 0xffff_fff0 } });
    expect(needOf(question).atLeast).toBe(0xffff_fff0);
  });
});
