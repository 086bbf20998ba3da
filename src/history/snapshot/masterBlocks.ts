import { HistoryError } from "../errors.ts";
import type { SqlSession } from "../store/Database.ts";
import { readRow, selectList } from "../store/schema/Table.ts";
import { blocks } from "../store/schema/tables.ts";
import type { IndexManifest, SnapshotBlock } from "./IndexManifest.ts";

type Queryable = Pick<SqlSession, "query">;

/** A masterchain block as the tables have it. */
export async function getMasterBlock(session: Queryable, seqno: number): Promise<SnapshotBlock> {
  const [row] = await session.query(
    `select ${selectList(blocks, "b")} from blocks b where b.workchain = -1 and b.seqno = $1::int`,
    [seqno],
  );
  if (row === undefined) throw new HistoryError("history/absent", `no masterchain block ${seqno} in the index`);
  const { rootHash, fileHash } = readRow(blocks, row);
  return { seqno, rootHash, fileHash };
}

/** Refuses rows that do not follow from the blocks that the manifest names. */
export async function checkMasterBlocks(session: Queryable, { segments }: IndexManifest): Promise<void> {
  for (const named of segments.flatMap(({ firstBlock, lastBlock }) => [firstBlock, lastBlock])) {
    const { rootHash, fileHash } = await getMasterBlock(session, named.seqno);
    if (rootHash === named.rootHash && fileHash === named.fileHash) continue;
    const message = `masterchain block ${named.seqno} differs between the manifest and the rows`;
    throw new HistoryError("history/snapshot", message);
  }
}
