import { describe, expect, it } from "vitest";
import { makeMerkleProof } from "../../../kit/cell/merkleProofs.ts";
import { checkShardInfo, findShardInfo } from "../../../kit/lite/queries/shardInfo.ts";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { cell, loadCell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { makeProofCell } from "../../../src/cell/exotic.ts";
import { intKey } from "../../../src/cell/keys.ts";
import { blockIdFromTl, blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { proven } from "../../../src/lite/queries/proven.ts";
import {
  checkAllShards,
  checkNoWorkchain,
  checkShardBlockProof,
  checkShardLinks,
  checkShardProof,
  fetchAllShards,
  fetchShardBlockProof,
  findShard,
} from "../../../src/lite/queries/shards.ts";
import { getAllShardsInfo, getBlock, getShardBlockProof, getShardInfo } from "../../../src/lite/tl/liteQueries.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import { makeShardTree, shardTopId } from "../../../src/model/block/ShardHashes.ts";
import { findRecorded, listRecorded } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const { signal } = new AbortController();
const lists = listRecorded(getAllShardsInfo);
const [some] = lists;
const split = lists.find(({ args, answer }) => checkAllShards(blockIdFromTl(args.id), answer).length === 4);
if (some === undefined || split === undefined) throw new Error("no shard lists recorded");

describe("a list of shards", () => {
  it.each(lists)("as recorded is proved: $args.id.seqno", ({ args, answer }) => {
    const tops = checkAllShards(blockIdFromTl(args.id), answer);
    expect(tops.map(({ workchain }) => workchain)).toEqual(tops.map(() => 0));
    expect(tops.length).toBeGreaterThan(0);
  });

  it("is the one of the block, and complete", () => {
    const block = blockIdFromTl(split.args.id);
    const refusal = (change: Partial<typeof split.answer>) =>
      refusalCode(() => checkAllShards(block, { ...split.answer, ...change }));
    expect(refusal({ data: some.answer.data })).toBe("lite/proof");
    expect(refusal({ proof: some.answer.proof })).toBe("lite/proof");
    expect(refusal({ id: some.answer.id })).toBe("lite/proof");
    const data = readRoot(split.answer.data);
    const pruned = makeMerkleProof(data, (inner) => inner === data.ref(0));
    for (const root of [pruned, pruned.ref(0), data.ref(0)])
      expect(refusal({ data: writeBoc(root) })).toBe("lite/proof");
  });

  it("is requested by block", async () => {
    const server = new ScriptedLite([replyTo(getAllShardsInfo, split.answer)]);
    expect(await fetchAllShards(server, blockIdFromTl(split.args.id), { signal })).toHaveLength(4);
  });
});

describe("finding a shard", () => {
  const [top] = checkAllShards(blockIdFromTl(split.args.id), split.answer);
  if (top === undefined) throw new Error("no shard");
  const tree = makeShardTree([
    { shard: 0x4n << 60n, description: top.description },
    { shard: 0xan << 60n, description: top.description },
    { shard: 0xen << 60n, description: top.description },
  ]);
  const hashes = makeDictionary(intKey(32), cell, [[0, tree]]);

  it("gives the one that covers it", () => {
    const covering = (shard: bigint) => findShard(hashes, 0, shard)?.shard;
    expect(covering(0x4n << 60n)).toBe(0x4n << 60n);
    expect(covering(0x2n << 60n)).toBe(0x4n << 60n);
    expect(covering(0xan << 60n)).toBe(0xan << 60n);
    expect(covering(0xffffffffffffffffn)).toBe(0xen << 60n);
    expect(covering(1n)).toBe(0x4n << 60n);
  });

  it("gives none if several are inside it, or the workchain has none", () => {
    expect(findShard(hashes, 0, 0x8n << 60n)).toBeUndefined();
    expect(findShard(hashes, 0, 0xcn << 60n)).toBeUndefined();
    expect(findShard(hashes, 1, 0x8n << 60n)).toBeUndefined();
  });
});

describe("one shard", () => {
  const infos = listRecorded(getShardInfo);
  const shardQueryOf = ({ args }: (typeof infos)[number]) => ({
    workchain: args.workchain,
    shard: BigInt.asUintN(64, args.shard),
    exact: args.exact,
  });
  const there = infos.find(({ answer }) => answer.shardDescr.length > 0);
  const missing = infos.find(({ answer, args }) => answer.shardDescr.length === 0 && args.workchain === 0);
  const nowhere = infos.find(({ args }) => args.workchain === 8);
  if (there === undefined || missing === undefined || nowhere === undefined) throw new Error("no shards recorded");

  it.each(infos)("as recorded is proved: $args.workchain:$args.shard, exact $args.exact", (recorded) => {
    const top = checkShardInfo(blockIdFromTl(recorded.args.id), shardQueryOf(recorded), recorded.answer);
    expect(top === undefined).toBe(recorded.answer.shardDescr.length === 0);
    if (top !== undefined) expect(shardTopId(top)).toEqual(blockIdFromTl(recorded.answer.shardblk));
  });

  it("is neither hidden nor forged", () => {
    const block = blockIdFromTl(there.args.id);
    const hide = { ...there.answer, shardblk: nowhere.answer.shardblk, shardDescr: new Uint8Array(0) };
    expect(refusalCode(() => checkShardInfo(block, shardQueryOf(there), hide))).toBe("lite/proof");
    const { shardblk, shardDescr } = there.answer;
    for (const forgery of [{ shardblk, shardDescr }, { shardblk }, { shardDescr }]) {
      expect(
        refusalCode(() =>
          checkShardInfo(blockIdFromTl(nowhere.args.id), shardQueryOf(nowhere), { ...nowhere.answer, ...forgery }),
        ),
      ).toBe("lite/proof");
    }
    expect(missing.answer.shardDescr).toHaveLength(0);
  });

  it("is requested as covering, or as exact", async () => {
    const server = new ScriptedLite([replyTo(getShardInfo, there.answer)]);
    const top = await findShardInfo(server, blockIdFromTl(there.args.id), shardQueryOf(there), { signal });
    expect(top?.description.seqno).toBe(there.answer.shardblk.seqno);
    expect(server.asked[0]?.args).toMatchObject({ exact: there.args.exact, shard: there.args.shard });
  });

  it("proved for a block is not valid for another, nor for a workchain that exists", () => {
    const block = blockIdFromTl(there.args.id);
    const { shardProof } = there.answer;
    const shard = blockIdFromTl(there.answer.shardblk);
    checkShardProof(block, shard, shardProof);
    checkShardProof(block, block, new Uint8Array(0));
    expect(refusalCode(() => checkShardProof(block, block, shardProof))).toBe("lite/proof");
    expect(refusalCode(() => checkShardProof(block, { ...shard, seqno: shard.seqno - 1 }, shardProof))).toBe(
      "lite/proof",
    );
    expect(refusalCode(() => checkShardProof(shard, { ...shard, seqno: 1 }, shardProof))).toBe("lite/proof");
    checkNoWorkchain(block, 5, shardProof);
    for (const workchain of [0, -1])
      expect(refusalCode(() => checkNoWorkchain(block, workchain, shardProof))).toBe("lite/proof");
    expect(refusalCode(() => proven("test", () => checkNoWorkchain(shard, 5, shardProof)))).toBe("lite/proof");
  });
});

describe("a shard block's proof", () => {
  const proofs = listRecorded(getShardBlockProof);
  const short = findRecorded(getShardBlockProof, ({ answer }) => answer.links.length === 1);

  it.each(proofs)("as recorded leads from the masterchain to the block: $args.id.seqno", ({ args, answer }) => {
    const { masterBlock, links } = checkShardBlockProof(blockIdFromTl(args.id), answer);
    expect(masterBlock.workchain).toBe(-1);
    expect(links.at(-1)?.id ?? masterBlock).toEqual(blockIdFromTl(args.id));
  });

  it("has a link for every step, in order", () => {
    const top = findRecorded(getShardBlockProof, ({ args }) => args.id.seqno === 727);
    const { data } = findRecorded(getBlock, ({ args }) => args.id.seqno === 727).answer;
    const root = readRoot(data);
    const [target] = prevBlockIds(loadCell(Block, root).info.load());
    if (target === undefined) throw new Error("nothing before the block");
    const proof = writeBoc(makeProofCell(root));
    const links = [...top.answer.links, { id: blockIdToTl(target), proof }];
    const check = (mutated: typeof links) => checkShardBlockProof(target, { ...top.answer, links: mutated });
    expect(check(links).links.map(({ id }) => id.seqno)).toEqual([727, 726]);
    const swapped = links.map(({ id }, i) => ({ id, proof: links[1 - i]?.proof ?? proof }));
    const other = links.with(1, { id: { ...blockIdToTl(target), fileHash: new Uint8Array(32) }, proof });
    for (const mutated of [links.slice(1), links.slice(0, 1), links.toReversed(), [], [...links, ...links.slice(-1)]])
      expect(refusalCode(() => check(mutated))).toBe("lite/proof");
    for (const mutated of [swapped, other]) expect(refusalCode(() => check(mutated))).toBe("lite/proof");
    const forged = { ...target, fileHash: target.rootHash };
    const toForged = [...top.answer.links, { id: blockIdToTl(forged), proof }];
    expect(refusalCode(() => checkShardBlockProof(forged, { ...top.answer, links: toForged }))).toBe("lite/proof");
    const wrongTop = { ...blockIdFromTl(top.args.id), fileHash: target.rootHash };
    const toWrong = top.answer.links.map((link) => ({ ...link, id: blockIdToTl(wrongTop) }));
    expect(refusalCode(() => checkShardBlockProof(wrongTop, { ...top.answer, links: toWrong }))).toBe("lite/proof");
  });

  it("starts in the masterchain", () => {
    const { masterchainId, links } = short.answer;
    const shard = { ...masterchainId, workchain: 0 };
    expect(refusalCode(() => checkShardBlockProof(blockIdFromTl(short.args.id), { masterchainId: shard, links }))).toBe(
      "lite/proof",
    );
    const target = blockIdFromTl(short.args.id);
    expect(refusalCode(() => checkShardLinks(target, [], target))).toBe("lite/proof");
  });

  it("is requested by block", async () => {
    const server = new ScriptedLite([replyTo(getShardBlockProof, short.answer)]);
    const { masterBlock } = await fetchShardBlockProof(server, blockIdFromTl(short.args.id), { signal });
    expect(masterBlock).toEqual(blockIdFromTl(short.answer.masterchainId));
  });
});
