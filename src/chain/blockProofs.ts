import { type BlockLink, checkBlockProof } from "../lite/queries/blockProof.ts";
import { blockIdToTl } from "../lite/queries/ids.ts";
import { fetchShardBlockProof, type ShardBlockProof } from "../lite/queries/shards.ts";
import type { CheckedSignatures } from "../lite/queries/signatures.ts";
import { askProven } from "../lite/server/LiteServer.ts";
import { getBlockProof } from "../lite/tl/liteQueries.ts";
import { type BlockId, type BlockIdExt, formatBlockId, masterchain, sameBlock } from "../model/block/BlockId.ts";
import { lookUp } from "./blocks.ts";
import type { Chain } from "./Chain.ts";
import { ChainError, inStep } from "./errors.ts";
import { getMasterBlock } from "./head.ts";

/** The target is given, and the newer of the two blocks may be the base of the proof. */
const toTarget = 0x1001;

/** The links of a complete and checked proof from one masterchain block to another. */
async function fetchLinks(chain: Chain, known: BlockIdExt, target: BlockIdExt): Promise<readonly BlockLink[]> {
  const args = { mode: toTarget, knownBlock: blockIdToTl(known), targetBlock: blockIdToTl(target) };
  return askProven(
    chain.server,
    getBlockProof,
    args,
    (answer) => {
      const { complete } = checkBlockProof(known, target, answer);
      if (!complete) throw halfWay(target);
      return answer.steps;
    },
    chain.asking,
  );
}

function halfWay(target: BlockIdExt): ChainError {
  return new ChainError("chain/half-proof", `no complete proof of ${formatBlockId(target)}`);
}

/** The signatures of a block, and everything needed to check them. */
export interface SignedBlock {
  readonly block: BlockIdExt;
  readonly signatures: CheckedSignatures;
}

/** The checked signatures of a masterchain block. */
export async function getBlockSignatures(chain: Chain, seqno: number): Promise<SignedBlock> {
  const before = await getMasterBlock(chain, seqno - 1);
  const block = await getMasterBlock(chain, seqno);
  const last = (await fetchLinks(chain, before, block)).at(-1);
  if (last?.kind !== "forward") throw halfWay(block);
  return { block, signatures: last.signatures };
}

export type BackLink = Extract<BlockLink, { kind: "back" }>;

/** Proof that a block belongs to the chain of a newer masterchain block. */
export interface BlockMembership extends ShardBlockProof {
  readonly from: BlockIdExt;
  /** From there to the masterchain block that commits the block; empty when both are the same. */
  readonly masterLinks: readonly BackLink[];
}

/** Proves a block by the newest masterchain block, or by the one with the given seqno. */
export async function getBlockMembership(
  chain: Chain,
  { workchain, shard, seqno }: BlockId,
  fromSeqno: number | undefined,
): Promise<BlockMembership> {
  const { id } = await lookUp(chain, { workchain, shard, by: "seqno", seqno });
  const from = await inStep("from-block", getMasterBlock(chain, fromSeqno));
  const proof =
    id.workchain === masterchain
      ? { masterBlock: id, links: [] }
      : await fetchShardBlockProof(chain.server, id, chain.asking);
  if (from.seqno < proof.masterBlock.seqno) throw new ChainError("chain/old-block", "from mc block is too old");
  if (sameBlock(from, proof.masterBlock)) return { ...proof, from, masterLinks: [] };
  const links = await fetchLinks(chain, from, proof.masterBlock);
  return { ...proof, from, masterLinks: links.filter((link) => link.kind === "back") };
}
