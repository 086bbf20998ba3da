import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { HistorySnapshot } from "../queries/kit/History.ts";
import { Params } from "../queries/kit/Statement.ts";
import { int4 } from "../store/schema/columns.ts";
import { selectList } from "../store/schema/Table.ts";
import { blocks } from "../store/schema/tables.ts";

/** A shard block, and the masterchain block that commits it. */
export interface CommittedBlock {
  readonly id: BlockIdExt;
  readonly mcSeqno: number;
}

/** The blocks that masterchain blocks after this one have committed, those themselves included. */
export async function listCommittedSince(
  reading: HistorySnapshot,
  mcSeqno: number,
): Promise<readonly CommittedBlock[]> {
  const params = new Params();
  const statement = params.lookup(`
    select ${selectList(blocks, "b")} from blocks b
    where b.mc_block_seqno > ${params.of(int4, mcSeqno)} order by b.mc_block_seqno, b.seqno`);
  return (await reading.rows(blocks, statement)).map(
    ({ workchain, shard, seqno, rootHash, fileHash, mcBlockSeqno }) => ({
      id: { workchain, shard, seqno, rootHash, fileHash },
      mcSeqno: mcBlockSeqno,
    }),
  );
}
