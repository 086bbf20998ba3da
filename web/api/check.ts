import type { BlockId, V2Answer, V2Args, V2Name } from "./types.ts";

/** What a panel shows, and what was proved in its place. */
export type Compared = readonly [what: string, shown: unknown, proved: unknown];

/** A request that proves what a panel shows. */
export interface Check {
  readonly name: V2Name;
  readonly args: object;
  readonly compare: (proved: never) => readonly Compared[];
}

/** A check whose types are those of its operation. */
export function checkBy<Name extends V2Name>(
  name: Name,
  args: V2Args<Name>,
  compare: (proved: V2Answer<Name>) => readonly Compared[],
): Check {
  return { name, args, compare };
}

/** A block as v2 names it: the shard is a signed number. */
export function liteId({ workchain, shard, seqno }: BlockId) {
  return { workchain, shard: BigInt.asIntN(64, BigInt(`0x${shard || "0"}`)).toString(), seqno };
}
