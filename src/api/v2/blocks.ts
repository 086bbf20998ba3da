import { getBlockMembership, getBlockSignatures } from "../../chain/blockProofs.ts";
import { getHeader, getQueueSizes, getWholeBlock, listShards, lookUp } from "../../chain/blocks.ts";
import { ChainError } from "../../chain/errors.ts";
import { getMasterchainInfo as getInfo } from "../../chain/head.ts";
import { isCoded } from "../../lib/errors.ts";
import { optional } from "../../lib/kit/arg.ts";
import type { Lookup } from "../../lite/queries/lookup.ts";
import { arg } from "../declare/argument.ts";
import { chainProof, largeProof, noProof } from "../declare/proof.ts";
import { intArg, longArg, neededSeqnoArg, notNegativeArg, refuse, seqnoArg, shardArg, workchainArg } from "./args.ts";
import { namedBlock, namedBlockArgs, unsignedShard } from "./blockArgs.ts";
import { endpoint } from "./declare.ts";
import { onChain } from "./onChain.ts";
import {
  blockHeader,
  blockSignatures,
  consensusBlock,
  masterchainInfo,
  outMsgQueueSizes,
  rawBlock,
  shardBlockProof,
  shardsShape,
} from "./shapes/blocks.ts";
import { blockIdExt } from "./shapes/ids.ts";

export const getMasterchainInfo = endpoint({
  name: "getMasterchainInfo",
  proof: chainProof,
  tag: "blocks",
  summary: "The newest masterchain block and the zero state.",
  args: {},
  result: masterchainInfo,
  cache: "head",
  run: onChain((chain) => getInfo(chain)),
});

/** Endpoints whose answers are about one block. */
const immutable = { proof: chainProof, tag: "blocks", cache: "forever" } as const;

export const getMasterchainBlockSignatures = endpoint({
  name: "getMasterchainBlockSignatures",
  ...immutable,
  summary: "Signatures of the validators for a masterchain block.",
  args: { seqno: arg("Seqno of the masterchain block.", neededSeqnoArg, "seqno") },
  result: blockSignatures,
  run: onChain((chain, { seqno }) => getBlockSignatures(chain, seqno)),
});

export const getShardBlockProof = endpoint({
  name: "getShardBlockProof",
  proof: chainProof,
  tag: "blocks",
  summary: "Proof that a block belongs to the chain of a newer masterchain block.",
  args: {
    workchain: arg(
      "Workchain: -1 is the masterchain, 0 the basechain.",
      intArg({ missing: "workchain required" }),
      "blockWorkchain",
    ),
    shard: arg(
      "Shard of the block; `8000000000000000`, or -9223372036854775808 in decimal, is a whole workchain.",
      longArg({ missing: "shard required" }),
      "blockShard",
    ),
    seqno: arg("Sequence number of the block.", intArg({ min: 1, missing: "seqno required" }), "blockSeqno"),
    from_seqno: arg("Masterchain block to prove from; the newest one when left out.", optional(intArg({ min: 0 }))),
  },
  result: shardBlockProof,
  cache: ({ from_seqno: from }) => (from === undefined ? "head" : "forever"),
  run: onChain((chain, { workchain, shard, seqno, from_seqno: from }) =>
    getBlockMembership(chain, { workchain, shard: unsignedShard(shard), seqno }, from),
  ),
});

export const getConsensusBlock = endpoint({
  name: "getConsensusBlock",
  proof: noProof("its time is that of this server's clock; getMasterchainInfo has the newest block with a proof"),
  tag: "blocks",
  summary: "The number of the newest masterchain block.",
  args: {},
  result: consensusBlock,
  run: (services, args, context) => readHead(services, args, context).catch(nameDeadServers),
});

const readHead = onChain(async ({ head, nowAt }) => ({ seqno: head.block.seqno, at: nowAt() }));

/** This endpoint is about the servers themselves, and has its own text when there are none. */
function nameDeadServers(error: unknown): never {
  throw isCoded(error, "lite/none") ? new ChainError("chain/no-head", "no workers alive", { cause: error }) : error;
}

function lookupOf({ seqno, lt, unixtime: at }: LookupValues): LookupBy {
  const lookupBies: LookupBy[] = [
    ...(seqno === undefined ? [] : [{ by: "seqno" as const, seqno }]),
    ...(lt === undefined ? [] : [{ by: "lt" as const, lt }]),
    ...(at === undefined ? [] : [{ by: "time" as const, at }]),
  ];
  const [first] = lookupBies;
  if (first === undefined || lookupBies.length > 1)
    throw refuse("exactly one of seqno, lt, unixtime should be specified");
  return first;
}

interface LookupValues {
  readonly seqno: number | undefined;
  readonly lt: bigint | undefined;
  readonly unixtime: number | undefined;
}

type LookupBy =
  | { readonly by: "seqno"; readonly seqno: number }
  | { readonly by: "lt"; readonly lt: bigint }
  | { readonly by: "time"; readonly at: number };

export const lookupBlock = endpoint({
  name: "lookupBlock",
  ...immutable,
  summary: "A block by seqno, or the first one at a logical time or a time.",
  args: {
    workchain: arg("Workchain: -1 is the masterchain, 0 the basechain.", workchainArg, "blockWorkchain"),
    shard: arg(
      "Shard of the block; `8000000000000000`, or -9223372036854775808 in decimal, is a whole workchain.",
      shardArg,
      "blockShard",
    ),
    seqno: arg("Sequence number of the block.", optional(seqnoArg), "blockSeqno"),
    lt: arg("A logical time; the answer is the block that contains it.", optional(notNegativeArg)),
    unixtime: arg("Time in Unix seconds; the answer is the block of that moment.", optional(intArg({ min: 0 }))),
  },
  result: blockIdExt,
  run: onChain(async (chain, { workchain, shard, ...by }) => {
    const lookup: Lookup = { workchain, shard: unsignedShard(shard), ...lookupOf(by) };
    return (await lookUp(chain, lookup)).id;
  }),
});

const listed = {
  ...immutable,
  summary: "The newest block of every shard at a masterchain block.",
  args: { seqno: arg("Seqno of the masterchain block.", neededSeqnoArg, "seqno") },
  result: shardsShape,
  run: onChain((chain, { seqno }: { readonly seqno: number }) => listShards(chain, seqno)),
} as const;

export const getShards = endpoint({ ...listed, name: "getShards" });

export const shards = endpoint({
  ...listed,
  name: "shards",
  description: "The older name of `getShards`.",
  isExtra: true,
});

export const getBlockHeader = endpoint({
  name: "getBlockHeader",
  ...immutable,
  summary: "The header of a block.",
  description: "`root_hash` and `file_hash` count only together.",
  args: namedBlockArgs,
  result: blockHeader,
  run: onChain((chain, args) => getHeader(chain, namedBlock(args))),
});

export const getRawBlock = endpoint({
  name: "getRawBlock",
  proof: largeProof,
  tag: "blocks",
  summary: "A whole block as its file, a bag of cells in base64.",
  description: "SHA-256 of the bytes is the file hash. `root_hash` and `file_hash` count only together.",
  isExtra: true,
  args: namedBlockArgs,
  result: rawBlock,
  cache: "forever",
  run: onChain((chain, args) => getWholeBlock(chain, namedBlock(args))),
});

export const getOutMsgQueueSize = endpoint({
  name: "getOutMsgQueueSize",
  proof: noProof("the limit of external messages is a setting of one lite server"),
  tag: "blocks",
  summary: "Sizes of the outbound message queues of the newest blocks.",
  args: {},
  result: outMsgQueueSizes,
  cache: "head",
  run: onChain((chain) => getQueueSizes(chain)),
});
