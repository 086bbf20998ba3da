/** Scripts of the pages that the server itself writes. */
export interface PageScripts {
  /** Fills the fields of the API pages with values that exist. */
  readonly apiPage: string;
  /** Keeps the start page up to date. */
  readonly landing: string;
}
