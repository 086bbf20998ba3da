import { lookUp } from "../../../chain/blocks.ts";
import type { Chain } from "../../../chain/Chain.ts";
import { headerRow } from "../../../history/ingest/decode/decodeRows.ts";
import type { BlockFilter, BlockRow } from "../../../history/queries/blocks.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { readDeferred } from "../../../lib/kit/deferredJson.ts";
import { inParallel } from "../../../lib/sharing/inParallel.ts";
import { zeroHash } from "../../../model/Hash.ts";
import { ApiError } from "../../declare/errors.ts";
import type { ProvedRows, ShownAnswer } from "../../declare/proof.ts";
import { block as blockForm } from "../shapes/blocks.ts";
import { isUnsetOr, isWithin } from "./matchesFilter.ts";
import { type Json, maxBlocks, readBlockPlace, rowsIn, unprovable, without } from "./transactionProof.ts";

const blocksAtOnce = 16;

/** Proves that blocks are of the chain, and what their headers say. */
export async function proveBlocks(chain: Chain, filter: BlockFilter, { result }: ShownAnswer): Promise<ProvedRows> {
  if (filter.mcSeqno !== undefined)
    throw unprovable("no block says which masterchain block commits it; getShards of v2 proves the shards of one");
  const rows = rowsIn(result, "blocks");
  if (rows.length > maxBlocks) throw unprovable(`a proof covers at most ${maxBlocks} blocks; ask for fewer with limit`);
  const proved = await inParallel(rows, blocksAtOnce, async (row) => {
    const { workchain, shard, seqno } = readBlockPlace(row);
    const header = headerRow(await lookUp(chain, { workchain, shard, by: "seqno", seqno }));
    if (!matches(header, filter)) throw new ApiError("api/incomplete", `block ${seqno} is not what was asked for`);
    return provedFields(header);
  });
  return { result: { blocks: proved }, isComplete: false };
}

type HeaderRow = ReturnType<typeof headerRow>;

function matches(row: HeaderRow, filter: BlockFilter): boolean {
  return (
    isUnsetOr(filter.workchain, row.workchain) &&
    (filter.shard === undefined || BigInt.asUintN(64, filter.shard) === row.shard) &&
    isUnsetOr(filter.seqno, row.seqno) &&
    isUnsetOr(filter.rootHash, row.rootHash) &&
    isUnsetOr(filter.fileHash, row.fileHash) &&
    isWithin(row.genUtime, filter.startUtime, filter.endUtime) &&
    isWithin(row.startLt, filter.startLt, filter.endLt)
  );
}

/** Not in the header of a block. */
const notInHeader = ["rand_seed", "created_by", "tx_count", "masterchain_block_ref"];

function provedFields(header: HeaderRow): Json {
  const row: BlockRow = { ...header, mcBlockSeqno: 0, randSeed: zeroHash, createdBy: zeroHash, txCount: 0 };
  return without(readDeferred(blockForm.encode(row)) as { readonly [name: string]: JsonValue }, notInHeader);
}
