import type { BlockId } from "../../../model/block/BlockId.ts";
import { prevBlockIds } from "../../../model/block/BlockInfo.ts";
import type { Hash } from "../../../model/Hash.ts";
import { HistoryError } from "../../errors.ts";
import type { SqlSession } from "../../store/Database.ts";
import { blocks } from "../../store/schema/tables.ts";
import { type BlockBatch, readFetched } from "../source/BlockBatch.ts";

/**
 * Refuses to continue an index with blocks of another chain: a block that is indexed must have the root hash that the
 * chain says. The row of a block is committed with the checkpoint, so the hash of the last block is always there. One
 * equal block is enough, because every block names its predecessors by their hashes.
 */
export async function checkChain(
  session: Pick<SqlSession, "query">,
  { workchain, shard, seqno, rootHash }: BlockId & { readonly rootHash: Hash },
): Promise<void> {
  const [row] = await session.query("select root_hash from blocks where workchain = $1 and shard = $2 and seqno = $3", [
    String(workchain),
    blocks.columns.shard.write(shard),
    String(seqno),
  ]);
  if (row === undefined) return;
  const stored = blocks.columns.rootHash.read(row.root_hash ?? null);
  if (stored === rootHash) return;
  const block = `masterchain block ${seqno}`;
  throw new HistoryError(
    "history/foreign",
    `the index was made from another chain: ${block} has root hash ${stored} in the index and ${rootHash} on the chain; ` +
      "stop this process and run tongate db rebuild to index this chain, or use the other chain again",
    { data: { stored, rootHash } },
  );
}

/** Refuses a batch that does not follow the last indexed block: a chain may have been cut and continued otherwise. */
export async function checkFollows(session: Pick<SqlSession, "query">, { master }: BlockBatch): Promise<void> {
  const [previous] = prevBlockIds(readFetched(master).info);
  if (previous !== undefined) await checkChain(session, previous);
}
