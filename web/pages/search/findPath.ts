import { v3 } from "../../api/ask.ts";
import { findDomainRecord } from "../../api/domains.ts";
import { run } from "../../api/run.ts";
import { parseSearch } from "../../browser/parseSearch.ts";
import { parseHash } from "../../format/hash.ts";
import { findByWords } from "./findByWords.ts";
import type { SearchResult } from "./SearchResult.ts";

/** What a search text means on this network: a page to go to, or results to choose from. */
export async function findPath(text: string): Promise<string | readonly SearchResult[]> {
  const wanted = parseSearch(text);
  switch (wanted.kind) {
    case "nothing":
      return [];
    case "path":
      return wanted.path;
    case "hash":
      return (await findHash(wanted.hash)) ?? [];
    case "seqno":
      // A number may also be a comment, such as the number of an order.
      return (await findSeqno(wanted.seqno)) ?? choose(await findByWords(text.trim()));
    case "domain":
      return (await findDomain(wanted.domain)) ?? choose(await findByWords(wanted.domain));
    case "bag":
      return `/cell?boc=${encodeURIComponent(wanted.boc)}`;
    case "words":
      return choose(await findByWords(wanted.words));
  }
}

/** The page of the only result, or of the only one with exactly this name. */
export function choose(results: readonly SearchResult[]): string | readonly SearchResult[] {
  const exact = results.filter(({ isExact, kind }) => isExact && kind !== "comment");
  const [only, ...others] = results.length === 1 ? results : exact;
  return only === undefined || others.length > 0 ? results : only.path;
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
  if (seqno >= 2 ** 31) return undefined;
  const { blocks } = await run(v3("blocks", { workchain: -1, seqno, limit: 1 }));
  const [block] = blocks;
  return block === undefined ? undefined : `/block/-1/${block.shard}/${block.seqno}`;
}

async function findDomain(domain: string): Promise<string | undefined> {
  const record = await findDomainRecord(domain);
  return record === undefined ? undefined : `/address/${record.dns_wallet ?? record.nft_item_address}`;
}
