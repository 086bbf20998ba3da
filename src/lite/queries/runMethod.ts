import { readRoot, writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../LiteServer.ts";
import { runSmcMethod } from "../tl/liteQueries.ts";
import type { runMethodResult } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { checkShardAccount } from "./accounts.ts";
import { accountIdToTl, blockIdToTl } from "./ids.ts";
import { proofError, proven } from "./proven.ts";

/** What a server says a get-method gives: no proof covers the run itself, so this is only its word. */
export interface ClaimedRun {
  /** The block whose state holds the account; undefined where there is no such workchain. This much is proved. */
  readonly shardBlock: BlockIdExt | undefined;
  readonly exitCode: number;
  /** VmStack; absent when the run failed. */
  readonly stack: Cell | undefined;
}

/** The state to run on is proved to be that of the block; the result is not. */
export function checkRun(block: BlockIdExt, address: Address, answer: TlValue<typeof runMethodResult>): ClaimedRun {
  return proven("get-method run", () => {
    const { id, shardblk, shardProof, proof, result, exitCode } = answer;
    if (shardProof === undefined || proof === undefined) throw proofError("a run without the proof that was asked for");
    const { place } = checkShardAccount(block, address, { id, shardblk, shardProof, proof });
    const stack = result === undefined || result.length === 0 ? undefined : readRoot(result);
    return { shardBlock: place.shard?.block, exitCode, stack };
  });
}

const withProofAndResult = 0b101;

/** Lets the server run a get-method. The service runs them itself; this serves comparison and diagnosis. */
export async function runRemotely(
  server: LiteServer,
  block: BlockIdExt,
  address: Address,
  call: { readonly methodId: bigint; readonly stack: Cell },
  options: TypedAskOptions,
): Promise<ClaimedRun> {
  const args = {
    mode: withProofAndResult,
    id: blockIdToTl(block),
    account: accountIdToTl(address),
    methodId: call.methodId,
    params: writeBoc(call.stack),
  };
  return askProven(server, runSmcMethod, args, (answer) => checkRun(block, address, answer), options);
}
