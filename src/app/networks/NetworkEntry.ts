/** The shipped data of a network. */
export interface NetworkEntry {
  /** Root hash and file hash. */
  readonly zeroState: string;
  /** Seqno, root hash and file hash. */
  readonly initBlock: string;
  /** `host:port key`, each. */
  readonly liteServers: readonly string[];
}
