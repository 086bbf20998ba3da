import { formatJson, type JsonObject } from "../../lib/json.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";

/** An end of the indexed part of the chain; both ends are included. */
export type ScopeBound =
  | { readonly kind: "block"; readonly seqno: number }
  /** In unix seconds. */
  | { readonly kind: "time"; readonly at: number };

/**
 * The part of the chain that an index covers. A trace is kept whole when one of its transactions is on an account of
 * the scope; without accounts, jettons, collections and codes every trace is.
 */
export interface Scope {
  readonly accounts: readonly Address[];
  /** Masters: they and their wallets are in the scope. */
  readonly jettons: readonly Address[];
  /** They and their items are in the scope. */
  readonly collections: readonly Address[];
  /**
   * Accounts are in the scope while they have such a code: their transactions in a block count by the code before the
   * block and by the code after it.
   */
  readonly codeHashes: readonly Hash[];
  readonly from: ScopeBound | undefined;
  readonly until: ScopeBound | undefined;
}

/** Whether traces are left out, not only blocks. */
export function limitsAccounts({ accounts, jettons, collections, codeHashes }: Scope): boolean {
  return accounts.length + jettons.length + collections.length + codeHashes.length > 0;
}

/** The one text of a scope, in the form of a scope file: equal scopes have equal texts. */
export function formatScope({ accounts, jettons, collections, codeHashes, from, until }: Scope): string {
  const lists = { accounts, jettons, collections, code_hashes: codeHashes };
  const listed = Object.entries(lists)
    .filter(([, list]) => list.length > 0)
    .map(([name, list]): [string, readonly string[]] => [name, [...new Set<string>(list)].sort()]);
  const bounds = Object.entries({ from, until }).flatMap(([name, bound]): [string, string | number][] =>
    bound === undefined ? [] : [[name, formatBound(bound)]],
  );
  const written: JsonObject = Object.fromEntries([...listed, ...bounds]);
  return formatJson(written);
}

/** A bound as scope files have it: a number of a block, or a time as text. */
export function formatBound(bound: ScopeBound): string | number {
  return bound.kind === "block" ? bound.seqno : `${new Date(bound.at * 1_000).toISOString().slice(0, 19)}Z`;
}

/** What a scope covers, as the end of a sentence "the index covers …". */
export function describeScope(scope: Scope): string {
  const counts = [
    countOf(scope.accounts.length, "account", "accounts"),
    countOf(scope.jettons.length, "jetton", "jettons"),
    countOf(scope.collections.length, "NFT collection", "NFT collections"),
    countOf(scope.codeHashes.length, "code", "codes"),
  ].flat();
  const what = counts.length === 0 ? "all accounts" : counts.join(", ");
  return [what, ...boundText("from", scope.from), ...boundText("until", scope.until)].join(" ");
}

function countOf(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}

function boundText(word: string, bound: ScopeBound | undefined): readonly string[] {
  if (bound === undefined) return [];
  return [`${word} ${bound.kind === "block" ? "block " : ""}${formatBound(bound)}`];
}
