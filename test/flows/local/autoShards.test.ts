import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askServed, splitServed } from "../../kit/app/splitService.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";

/** Accounts in all quarters of the basechain. */
const people = ["1", "5", "9", "d"].map((digit) => `0:${digit.repeat(64)}`);

let service: StartedService;
beforeAll(async () => {
  service = await startService({ flags: ["--shards", "auto", "--block-ms", "200", "--demo", "off"] });
});
afterAll(() => service.close());

const ask = (path: string) => askServed(service.origin, path);

interface V2Id {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

const hexShard = (shard: string) => BigInt.asUintN(64, BigInt(shard)).toString(16).toUpperCase().padStart(16, "0");
const textOf = ({ shard, seqno }: Pick<V2Id, "shard" | "seqno">) => `${hexShard(shard)} ${seqno}`;

/** The blocks of the basechain as v2 reports them, from the shards of a masterchain block back to the first. */
async function walk(seqno: number): Promise<Map<string, object>> {
  const found = new Map<string, object>();
  const ids: V2Id[] = (await ask(`/api/v2/shards?seqno=${seqno}`)).result.shards;
  for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
    if (id.seqno === 0 || found.has(textOf(id))) continue;
    const { workchain, shard, seqno: at } = id;
    const { result } = await ask(`/api/v2/getBlockHeader?workchain=${workchain}&shard=${shard}&seqno=${at}`);
    const { before_split, after_split, after_merge, want_split, want_merge, prev_blocks } = result;
    const prevs: V2Id[] = prev_blocks;
    const marks = { before_split, after_split, after_merge, want_split, want_merge };
    found.set(textOf(id), { root_hash: id.root_hash, ...marks, prev: prevs.map(textOf).sort() });
    ids.push(...prevs);
  }
  return found;
}

interface V3Block {
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly prev_blocks: readonly { readonly shard: string; readonly seqno: number }[];
  readonly [mark: string]: unknown;
}

describe("a served network whose shards have split and merged", () => {
  it("splits into four and merges into one", async () => {
    await splitServed(service.origin, 2, people);
    await splitServed(service.origin, 0, people);
  });

  it("has the same blocks in its index as in the chain", async () => {
    const { seqno } = (await ask("/api/v2/getMasterchainInfo")).result.last;
    const indexed = async () => (await ask("/api/v3/masterchainInfo")).last.seqno;
    await expect.poll(indexed, { timeout: 300_000 }).toBeGreaterThanOrEqual(seqno);
    const blocks = await walk(seqno);
    const known: V3Block[] = (await ask("/api/v3/blocks?workchain=0&limit=1000&sort=asc")).blocks;
    const plain = (shard: string, at: number) => `${shard} ${at}`;
    const rows = known.map(({ shard, seqno: at, root_hash, prev_blocks, ...rest }) => {
      const { before_split, after_split, after_merge, want_split, want_merge } = rest;
      const prev = prev_blocks.map((each) => plain(each.shard, each.seqno)).sort();
      const marks = { before_split, after_split, after_merge, want_split, want_merge };
      return [plain(shard, at), { root_hash, ...marks, prev }] as const;
    });
    const inChain = new Map(rows.filter(([place]) => blocks.has(place)));
    expect(inChain).toEqual(blocks);
    const count = (mark: string) => [...blocks.values()].filter((each) => Object(each)[mark] === true).length;
    expect(["before_split", "after_split", "after_merge"].map(count)).toEqual([3, 6, 3]);
  });

  it("reports the same transactions of an account in v2 and v3", async () => {
    for (const address of people) {
      const { result } = await ask(`/api/v2/getTransactions?address=${address}&limit=100`);
      const hashes: string[] = result.map((each: { transaction_id: { hash: string } }) => each.transaction_id.hash);
      expect(hashes.length).toBeGreaterThan(1);
      const inIndex = async () => {
        const { transactions } = await ask(`/api/v3/transactions?account=${address}&limit=100`);
        return transactions.map(({ hash }: { hash: string }) => hash);
      };
      await expect.poll(inIndex, { timeout: 300_000 }).toEqual(hashes);
    }
  });

  it("has an index without differences to the chain", async () => {
    const response = await fetch(`${service.origin}/index/verify?sample=500`, { method: "POST" });
    expect(Object(await response.json())).toMatchObject({ differences: 0 });
  });
});
