import { parseJson } from "../../lib/json.ts";
import { decodeArgs, optional } from "../../lib/kit/arg.ts";
import { intArg, listArg, oneOfArg, textArg } from "../../lib/kit/basicArgs.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { parseHash } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";

/** From when the time of a fork goes on: from now, or from the time of its block. */
export type ForkTime = "now" | "block";

/** Which blocks a fork continues. */
export interface ForkFacts {
  /** What the other network is called. */
  readonly origin: string;
  readonly zeroState: BlockIdExt;
  readonly master: BlockIdExt;
  readonly shards: readonly BlockIdExt[];
  readonly globalId: number;
  readonly time: ForkTime;
  /** The older masterchain blocks that the messages under way name, if the fork delivers these messages. */
  readonly seen?: readonly BlockIdExt[] | undefined;
}

const int32 = intArg({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const ids = listArg(textArg({ maxLength: 300 }), { maxItems: 1_000 });
const fields = {
  ...{ origin: textArg(), zeroState: textArg(), master: textArg(), shards: ids, globalId: int32 },
  time: oneOfArg(["now", "block"]),
  seen: optional(ids),
};

export function encodeFacts({ zeroState, master, shards, seen, ...rest }: ForkFacts): Uint8Array {
  const blocks = { zeroState: writeId(zeroState), master: writeId(master), seen: seen?.map(writeId) };
  return new TextEncoder().encode(JSON.stringify({ ...rest, ...blocks, shards: shards.map(writeId) }));
}

export function decodeFacts(bytes: Uint8Array): ForkFacts {
  const json: Readonly<Record<string, unknown>> = Object(parseJson(new TextDecoder().decode(bytes)));
  const { zeroState, master, shards, seen, ...rest } = decodeArgs(fields, json);
  const blocks = { zeroState: readId(zeroState), master: readId(master), seen: seen?.map(readId) };
  return { ...rest, ...blocks, shards: shards.map(readId) };
}

function writeId({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): string {
  return `${workchain} ${shard} ${seqno} ${rootHash} ${fileHash}`;
}

function readId(text: string): BlockIdExt {
  const [workchain, shard, seqno, rootHash, fileHash] = text.split(" ");
  if (shard === undefined || rootHash === undefined || fileHash === undefined)
    throw new LocalnetError("localnet/data", `${JSON.stringify(text)} does not name a block`);
  const hashes = { rootHash: parseHash(rootHash), fileHash: parseHash(fileHash) };
  return { workchain: Number(workchain), shard: BigInt(shard), seqno: Number(seqno), ...hashes };
}
