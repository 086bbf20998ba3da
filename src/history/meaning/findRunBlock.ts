import { type BlockIdExt, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import type { SqlSession } from "../store/Database.ts";
import { readRow, selectList } from "../store/schema/Table.ts";
import { blocks } from "../store/schema/tables.ts";
import type { RunBlock } from "./StateRunner.ts";

/** Where get-methods run after an indexed masterchain block; `undefined` when it is not indexed. */
export async function findRunBlock(
  session: Pick<SqlSession, "query">,
  mcSeqno: number,
  signal: AbortSignal,
): Promise<RunBlock | undefined> {
  const [raw] = await session.query(
    `select ${selectList(blocks, "b")} from blocks b
     where b.workchain = ${masterchain} and b.shard = $1::bigint and b.seqno = $2::int`,
    [blocks.columns.shard.write(wholeShard), mcSeqno],
  );
  if (raw === undefined) return undefined;
  const { workchain, shard, seqno, rootHash, fileHash, keyBlock, prevKeyBlockSeqno, genUtime } = readRow(blocks, raw);
  const master: BlockIdExt = { workchain, shard, seqno, rootHash, fileHash };
  return { master, keySeqno: keyBlock ? seqno : prevKeyBlockSeqno, now: genUtime, signal };
}
