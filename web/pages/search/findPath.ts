import { parseSearch } from "../browser/parseSearch.ts";
import { parseHash } from "../format/hash.ts";
import { v3 } from "./ask.ts";
import { AskError, run } from "./run.ts";

/** The page for a search text; `undefined` if this network has no match. */
export async function findPath(text: string): Promise<string | undefined> {
  const wanted = parseSearch(text);
  switch (wanted.kind) {
    case "path":
      return wanted.path;
    case "hash":
      return findHash(wanted.hash);
    case "seqno":
      return findSeqno(wanted.seqno);
    case "domain":
      return findDomain(wanted.domain);
    case "bag":
      return `/cell?boc=${encodeURIComponent(wanted.boc)}`;
    default:
      return undefined;
  }
}

/** A hash may belong to a transaction, a message (which leads to its trace) or a block. */
async function findHash(hash: string): Promise<string | undefined> {
  const [transactions, byMessage, byRoot] = await Promise.all([
    run(v3("transactions", { hash: [hash], limit: 1 })),
    run(v3("transactionsByMessage", { msg_hash: [hash], limit: 2 })),
    run(v3("blocks", { root_hash: hash, limit: 1 })),
  ]);
  const [transaction] = transactions.transactions;
  if (transaction !== undefined) return `/tx/${hash}`;
  const receiver = byMessage.transactions.find(({ in_msg: message }) => {
    const hashes = [message?.hash, message?.hash_norm].map((each) => parseHash(each ?? ""));
    return hashes.includes(hash);
  });
  const found = receiver ?? byMessage.transactions[0];
  if (found !== undefined) return `/tx/${parseHash(found.hash)}`;
  const [block] = byRoot.blocks;
  return block === undefined ? undefined : `/block/${block.workchain}/${block.shard}/${block.seqno}`;
}

async function findSeqno(seqno: number): Promise<string | undefined> {
  const { blocks } = await run(v3("blocks", { workchain: -1, seqno, limit: 1 }));
  const [block] = blocks;
  return block === undefined ? undefined : `/block/-1/${block.shard}/${block.seqno}`;
}

async function findDomain(domain: string): Promise<string | undefined> {
  try {
    const { records } = await run(v3("dns/records", { domain, limit: 1 }));
    const [record] = records;
    return record === undefined ? undefined : `/address/${record.dns_wallet ?? record.nft_item_address}`;
  } catch (error) {
    if (error instanceof AskError) return undefined;
    throw error;
  }
}
