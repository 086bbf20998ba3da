import { expect, it } from "vitest";
import { getBlockMembership } from "../../src/chain/blockProofs.ts";
import { getBlockId, getHeader, listShards, lookUp } from "../../src/chain/blocks.ts";
import { getMasterBlock, getMasterchainInfo } from "../../src/chain/head.ts";
import { wholeShard } from "../../src/model/block/BlockId.ts";
import { openChain } from "../kit/chain/openChain.ts";
import { listBlocks } from "../kit/localnet/ledgerTransactions.ts";
import { importSplitChain } from "../kit/localnet/splitChain.ts";

const ledger = importSplitChain();
const chain = openChain(ledger);

it("returns the state of the newest block as in the ledger", async () => {
  const { last, stateRootHash } = await getMasterchainInfo(chain);
  expect(last).toEqual(ledger.headId);
  expect(stateRootHash).toBe(ledger.state(ledger.headId).hash());
});

it("finds every block by seqno, by its end and by its time", async () => {
  for (const { id, info } of listBlocks(ledger)) {
    const { workchain, shard, seqno } = id;
    expect(await getBlockId(chain, { workchain, shard, seqno, hashes: undefined })).toEqual(id);
    expect((await lookUp(chain, { workchain, shard, by: "lt", lt: info.endLt })).id).toEqual(id);
    expect((await lookUp(chain, { workchain, shard, by: "time", at: info.genUtime })).info.genUtime).toBe(
      info.genUtime,
    );
    const { rootHash, fileHash } = id;
    expect((await getHeader(chain, { workchain, shard, seqno, hashes: { rootHash, fileHash } })).info).toEqual(info);
  }
});

it("finds the first blocks by times before them", async () => {
  for (const workchain of [-1, 0]) {
    const first = await lookUp(chain, { workchain, shard: wholeShard, by: "lt", lt: 0n });
    expect(first.id.seqno).toBe(1);
    expect((await lookUp(chain, { workchain, shard: wholeShard, by: "time", at: 1 })).id).toEqual(first.id);
  }
});

it("lists one shard before the split and both halves after it, lower first", async () => {
  expect((await listShards(chain, 5)).map(({ shard }) => shard)).toEqual([wholeShard]);
  expect((await listShards(chain)).map(({ shard }) => shard)).toEqual([
    wholeShard >> 1n,
    wholeShard + (wholeShard >> 1n),
  ]);
});

it("proves shard blocks by later masterchain blocks and not by earlier ones", async () => {
  const at = await getMasterBlock(chain, 30);
  const [shard] = await listShards(chain, 20);
  if (shard === undefined) throw new Error("no shard");
  const proof = await getBlockMembership(chain, shard, 30);
  expect(proof.from).toEqual(at);
  expect(proof.links.at(-1)?.id).toEqual(shard);
  expect(proof.masterLinks).toHaveLength(1);
  await expect(getBlockMembership(chain, shard, 10)).rejects.toMatchObject({ code: "chain/old-block" });
});
