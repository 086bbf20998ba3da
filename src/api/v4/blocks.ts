import { Type } from "typebox";
import { lookUp } from "../../chain/blocks.ts";
import type { Chain } from "../../chain/Chain.ts";
import { getMasterchainInfo, type MasterchainInfo } from "../../chain/head.ts";
import { chainAt } from "../../chain/pinned/atBlock.ts";
import { type BlockContent, listContents } from "../../chain/pinned/blockContents.ts";
import type { BlockEntry } from "../../chain/transactions.ts";
import { decimal, field, int, list, objectSchema, schemaOf, shape } from "../../lib/kit/shape.ts";
import { masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { chainProof } from "../declare/proof.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { bounceable } from "../v2/shapes/ids.ts";
import { hash64 } from "../v2/shapes/scalars.ts";
import { friendlyUrl } from "../v2/shapes/utils.ts";
import { seqnoArg, utimeArg } from "./args.ts";
import type { V4Services } from "./declare.ts";
import { endpoint } from "./declare.ts";
import { noteLasting, onNewest } from "./onBlock.ts";
import { blockFields, blockId } from "./shapes/ids.ts";

interface Latest extends MasterchainInfo {
  readonly now: number;
}

export const getLastBlock = endpoint({
  name: "getLastBlock",
  proof: chainProof,
  path: "block/latest",
  tag: "blocks",
  summary: "The newest masterchain block.",
  description: "Accounts at this block are available at once. `now` is the time of the block.",
  methods: ["GET"],
  args: {},
  cache: "head",
  result: shape<Latest>()({
    last: blockId("Newest block of the masterchain.", (info) => info.last),
    init: shape<MasterchainInfo["zeroState"]>()({
      fileHash: hash64("Hash of the block's file, in base64.", (zero) => zero.fileHash),
      rootHash: hash64("Hash of the block's root cell, in base64.", (zero) => zero.rootHash),
    })("Zero state of the chain.", (info) => info.zeroState),
    stateRootHash: hash64(
      "Hash of the root cell of the state after the block, in base64.",
      (info) => info.stateRootHash,
    ),
    now: int("Time of the newest block, in Unix seconds.", (info) => info.now),
  }),
  run: onNewest(async (chain, _args, { notes }): Promise<Latest> => {
    // Blocks come several times a second: a cache must revalidate this answer.
    notes.addHeader("Cache-Control", "no-cache");
    return { ...(await getMasterchainInfo(chain)), now: chain.head.genUtime };
  }),
});

const entry = shape<BlockEntry>()({
  account: friendlyUrl("User-friendly address of the account.", (each) => bounceable(each.address)),
  hash: hash64("Hash of the transaction, in base64.", (each) => each.hash),
  lt: decimal("Logical time of the transaction.", (each) => each.lt),
});

const content = field({
  schema: schemaOf({
    ...blockFields,
    transactions: list(entry)("Ids of its transactions.", (each: BlockContent) => each.transactions),
  }),
  encode: ({ block, transactions }: BlockContent) => ({
    ...blockId.encode(block),
    transactions: list(entry).encode(transactions),
  }),
});

const existWords = "Whether there is such a block.";

const contents = field({
  schema: Type.Union([
    objectSchema({
      exist: [existWords, Type.Literal(true)],
      block: [
        "What the masterchain block commits.",
        objectSchema({ shards: ["The block itself and the shard blocks that it commits.", list(content).schema] }),
      ],
    }),
    objectSchema({ exist: [existWords, Type.Literal(false)] }),
  ]),
  encode: (blocks: readonly BlockContent[] | undefined) =>
    blocks === undefined ? { exist: false } : { exist: true, block: { shards: list(content).encode(blocks) } },
});

const common = { tag: "blocks", methods: ["GET"], cache: "forever", proof: chainProof, result: contents } as const;

async function contentsAt(
  chain: Chain,
  seqno: number,
  context: RequestContext,
  services: V4Services,
): Promise<readonly BlockContent[]> {
  const at = await chainAt(chain, seqno);
  const blocks = await listContents(at);
  noteLasting(context, services, chain.zeroState, at.head.block);
  return blocks;
}

/** The block does not exist yet: this answer is soon outdated. */
function notYet({ notes }: RequestContext): undefined {
  notes.doNotKeep();
  notes.addHeader("Cache-Control", "public, max-age=5");
  return undefined;
}

export const getBlock = endpoint({
  ...common,
  name: "getBlock",
  path: "block/{seqno}",
  summary: "A masterchain block and the shard blocks it brought in, with the ids of their transactions.",
  args: { seqno: seqnoArg },
  run: onNewest(async (chain, { seqno }, context, services) => {
    if (seqno === 0) return undefined;
    if (seqno > chain.head.block.seqno) return notYet(context);
    return contentsAt(chain, seqno, context, services);
  }),
});

export const getBlockByUtime = endpoint({
  ...common,
  name: "getBlockByUtime",
  path: "block/utime/{utime}",
  summary: "The first masterchain block that is not older than a time.",
  args: { utime: utimeArg },
  run: onNewest(async (chain, { utime }, context, services) => {
    if (utime === 0) return undefined;
    if (utime > chain.head.genUtime) return notYet(context);
    // The head is not older than this time, so that the block exists: no error of a server says otherwise.
    const { id } = await lookUp(chain, { workchain: masterchain, shard: wholeShard, by: "time", at: utime });
    return contentsAt(chain, id.seqno, context, services);
  }),
});
