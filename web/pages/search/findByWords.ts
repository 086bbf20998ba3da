import { v3 } from "../../api/ask.ts";
import { listNamed } from "../../api/book.ts";
import { findDomainRecord } from "../../api/domains.ts";
import { run } from "../../api/run.ts";
import type { Transaction } from "../../api/types.ts";
import { addressInPath } from "../../format/address.ts";
import { parseHash } from "../../format/hash.ts";
import { commentHash } from "./commentHash.ts";
import type { SearchResult } from "./SearchResult.ts";

/** As many tokens and collections as the API lists at once are searched; it has no search by name. */
const maxListed = 1_000;
const maxResults = 50;

/**
 * Finds names of accounts, tokens, collections and domains that have the words in them, and messages with exactly this
 * comment.
 */
export async function findByWords(words: string): Promise<readonly SearchResult[]> {
  const [masters, collections, commented, domain] = await Promise.all([
    run(v3("jetton/masters", { limit: maxListed })),
    run(v3("nft/collections", { limit: maxListed })),
    run(v3("transactionsByMessage", { body_hash: commentHash(words), direction: "in", limit: maxResults })),
    /^[a-z0-9-]{1,126}$/i.test(words) ? findDomainRecord(`${words}.ton`) : undefined,
  ]);
  const tokens = masters.jetton_masters.map(({ address, jetton_content: content }) => ({
    address,
    names: namesIn(content),
  }));
  const items = collections.nft_collections.map(({ address, collection_content: content }) => ({
    address,
    names: namesIn(content),
  }));
  const found = [
    ...matchNames(words, listNamed(), "account", "address"),
    ...matchNames(words, tokens, "token", "jetton"),
    ...matchNames(words, items, "collection", "nft"),
    ...(domain === undefined ? [] : [domainResult(domain.domain, domain.nft_item_address)]),
    ...commented.transactions.map((each) => commentResult(words, each)),
  ];
  const byPath = new Map(found.map((each) => [each.path, each]));
  return [...byPath.values()].sort((a, b) => Number(b.isExact) - Number(a.isExact)).slice(0, maxResults);
}

interface Named {
  readonly address: string;
  readonly names: readonly string[];
}

/** Those with the words in a name, in any case of letters. */
export function matchNames(
  words: string,
  all: readonly Named[],
  kind: SearchResult["kind"],
  page: string,
): SearchResult[] {
  const wanted = words.toLowerCase();
  return all.flatMap(({ address, names }) => {
    const matching = names.filter((name) => name.toLowerCase().includes(wanted));
    const exact = matching.find((name) => name.toLowerCase() === wanted);
    const title = exact ?? matching[0];
    const path = `/${page}/${addressInPath(address)}`;
    return title === undefined ? [] : [{ kind, title, path, isExact: exact !== undefined }];
  });
}

function namesIn(content: unknown): string[] {
  const { name, symbol } = Object(content) as { readonly name?: unknown; readonly symbol?: unknown };
  return [name, symbol].filter((each) => typeof each === "string" && each !== "") as string[];
}

function domainResult(title: string, item: string): SearchResult {
  return { kind: "domain", title, path: `/address/${item}`, isExact: true };
}

function commentResult(title: string, { hash }: Transaction): SearchResult {
  return { kind: "comment", title, path: `/tx/${parseHash(hash)}`, isExact: true };
}
