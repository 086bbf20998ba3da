import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { checkShardAccount } from "../../../src/lite/queries/accounts.ts";
import { accountIdToTl, blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { proofError, proven } from "../../../src/lite/queries/proven.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../../../src/lite/server/LiteServer.ts";
import { runSmcMethod } from "../../../src/lite/tl/liteQueries.ts";
import type { runMethodResult } from "../../../src/lite/tl/liteRecords.ts";
import type { TlValue } from "../../../src/lite/tl/types.ts";
import type { Address } from "../../../src/model/Address.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";

/** Runs a get-method on the server. The service runs them itself; this is for comparison. */
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

const withProofAndResult = 0b101;

/** The state of the run is proved to belong to the block; the result is not proved. */
export function checkRun(block: BlockIdExt, address: Address, answer: TlValue<typeof runMethodResult>): ClaimedRun {
  return proven("get-method run", () => {
    const { id, shardblk, shardProof, proof, result, exitCode } = answer;
    if (shardProof === undefined || proof === undefined) throw proofError("a run without the proof that was asked for");
    const { place } = checkShardAccount(block, address, { id, shardblk, shardProof, proof });
    const stack = result === undefined || result.length === 0 ? undefined : readRoot(result);
    return { shardBlock: place.shard?.block, exitCode, stack };
  });
}

/** The reported result of a get-method; no proof covers the run itself. */
export interface ClaimedRun {
  /** The block whose state holds the account; undefined if the workchain does not exist. This is proved. */
  readonly shardBlock: BlockIdExt | undefined;
  readonly exitCode: number;
  /** VmStack; absent if the run failed. */
  readonly stack: Cell | undefined;
}
