import { describe, expect, it } from "vitest";
import { ConfirmedChain } from "../../../src/history/confirmed/ConfirmedChain.ts";
import { fetchBlock, type WholeBlock } from "../../../src/lite/queries/blocks.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { type BlockIdExt, shardChildren, wholeShard } from "../../../src/model/block/BlockId.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";

const ledger = importSplitChain();
const options = { signal: new AbortController().signal };
const sample = await fetchBlock(new LocalLiteServer({ ledger }), ledger.headId, options);
const [left, right] = shardChildren(wholeShard);

/** A block with a name in place of its hash, after others. */
function made(name: string, shard: bigint, seqno: number, prevs: readonly WholeBlock[]): WholeBlock {
  const rootHash = Buffer.from(name).toString("hex").padEnd(64, "0") as Hash;
  const id: BlockIdExt = { workchain: 0, shard, seqno, rootHash, fileHash: rootHash };
  const [first] = prevs;
  const afterMerge = prevs.length === 2;
  const afterSplit = !afterMerge && first !== undefined && first.id.shard !== shard;
  const prev = prevs.map((each) => ({ ...each.id, endLt: 0n }));
  return {
    ...sample,
    id,
    info: { ...sample.info, shard: { workchain: 0, shard }, seqno, afterMerge, afterSplit, prev },
  };
}

const names = (blocks: readonly { readonly id: BlockIdExt }[]) =>
  blocks.map(({ id }) => Buffer.from(id.rootHash, "hex").toString().replaceAll("\0", ""));
const listed = (chain: ConfirmedChain) => names(chain.list().map(({ block }) => block));

const base = made("base", wholeShard, 7, []);
const a = made("a", wholeShard, 8, [base]);
const b = made("b", wholeShard, 9, [a]);
const c = made("c", wholeShard, 10, [b]);
const other = made("other", wholeShard, 8, [base]);

function chainWith(...blocks: readonly WholeBlock[]): ConfirmedChain {
  const chain = new ConfirmedChain();
  chain.commit([base.id]);
  chain.add(blocks, 0);
  return chain;
}

describe("confirmed blocks", () => {
  it("follow committed or confirmed ones; others are not taken", () => {
    const chain = chainWith(a, c);
    expect(listed(chain)).toEqual(["a"]);
    expect(names(chain.add([a, b, c], 1))).toEqual(["b", "c"]);
  });

  it("are taken up to a number of bytes", () => {
    const chain = new ConfirmedChain(2 * sample.bytes.length);
    chain.commit([base.id]);
    expect(names(chain.add([a, b, c], 0))).toEqual(["a", "b"]);
  });

  it("are left when the masterchain commits them, and those after them stay", () => {
    const chain = chainWith(a, b, c);
    expect(chain.commit([a.id, b.id])).toEqual([]);
    expect([listed(chain), chain.isKnown(a.id)]).toEqual([["c"], true]);
  });

  it("are dropped with all that follow when the masterchain has another block in their place", () => {
    const chain = chainWith(a, b, c);
    expect(names(chain.commit([other.id]).map(({ block }) => block))).toEqual(["a", "b", "c"]);
    expect([listed(chain), chain.isKnown(b.id)]).toEqual([[], false]);
    expect(chain.add([a], 1)).toEqual([]);
  });

  it("are dropped with all that follow when they become too old", () => {
    const chain = chainWith(a);
    chain.add([b], 50);
    expect(chain.expire(0)).toEqual([]);
    expect(names(chain.expire(1).map(({ block }) => block))).toEqual(["a", "b"]);
  });

  it("follow a split and a merge, and are dropped only in the shard that was replaced", () => {
    const first = made("first", left, 8, [base]);
    const second = made("second", right, 8, [base]);
    const merged = made("merged", wholeShard, 9, [first, second]);
    const chain = chainWith(first, second, merged);
    expect(listed(chain)).toEqual(["first", "second", "merged"]);
    const instead = made("instead", right, 8, [base]);
    expect(names(chain.commit([instead.id]).map(({ block }) => block))).toEqual(["second", "merged"]);
    expect(listed(chain)).toEqual(["first"]);
  });
});
