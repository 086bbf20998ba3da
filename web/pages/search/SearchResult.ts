/** One of the things that a search by words finds. */
export interface SearchResult {
  readonly kind: "account" | "token" | "collection" | "domain" | "comment";
  /** Untrusted text. */
  readonly title: string;
  readonly path: string;
  /** Whether its name is the searched text, not only a part of it. */
  readonly isExact: boolean;
}
